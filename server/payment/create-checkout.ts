import { setTimeout as wait } from 'node:timers/promises'
import { type CheckoutLink, type CreateCheckout, disablable } from '../../shared/payment.ts'
import { newId, sha256 } from '../foundation/crypto.ts'
import { type Tx, violatedUnique } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { type Owner, ownerKey } from './owner.ts'

/** Who pays: a customer that is known there, or a new one; an organization's is its own, no matter who clicks (`create_new_customer`). */
type Buyer = { email: string; name: string; customerId?: string; create_new_customer?: boolean }

/** What the provider's checkout session takes, from the specification's creation payload. */
export function checkoutBody(wish: CreateCheckout, buyer: Buyer, metadata: Record<string, string>) {
  const { product_id, quantity = 1, product_cart, addons, billing } = wish
  const cart = product_cart ?? [{ product_id: product_id ?? '', quantity }]
  const currency = wish.billing_currency ?? wish.currency
  const code = wish.discount_code ?? wish.discount_id
  const { customerId, ...person } = buyer
  return {
    product_cart: cart.map((line) => ({
      product_id: line.product_id,
      quantity: line.quantity,
      ...('amount' in line && line.amount !== undefined && { amount: line.amount }),
      ...(addons && addons.length > 0 && product_cart === undefined && { addons }),
    })),
    customer: customerId === undefined ? person : { customer_id: customerId },
    ...(billing && { billing_address: billing }),
    ...(code !== undefined && { discount_code: code }),
    ...(currency !== undefined && { billing_currency: currency.toUpperCase() }),
    // Ours come last: whose it is does not come from a body.
    metadata: { ...wish.metadata, ...metadata },
  }
}

/** A checkout that was begun is found by a second click for so long. */
const openSeconds = 900
/** And may be in the making for so long. */
const makingSeconds = 15

/**
 * One checkout for one purchase, however often it is clicked: the row that comes first makes it, the others take its address.
 * Nothing foreign is asked inside a transaction.
 */
export async function oneCheckout(
  db: Tx,
  { owner, body, clock }: { owner: Owner; body: object; clock: () => Date },
  make: () => Promise<string>,
): Promise<string> {
  const purchaseKey = `${ownerKey(owner)}:${sha256(JSON.stringify(body))}`
  for (let looks = 0; looks < makingSeconds * 10; looks++) {
    const now = clock()
    await db.pendingCheckout.deleteMany({ where: { purchaseKey, expiresAt: { lte: now } } })
    const known = await db.pendingCheckout.findUnique({ where: { purchaseKey } })
    if (known?.checkoutUrl) return known.checkoutUrl
    if (known) {
      await wait(100)
      continue
    }
    const id = newId()
    const expiresAt = new Date(now.getTime() + makingSeconds * 1000)
    const isMine = await db.pendingCheckout.create({ data: { id, purchaseKey, createdAt: now, expiresAt } }).then(
      () => true,
      (error: unknown) => (violatedUnique(error) ? false : Promise.reject(error)),
    )
    if (!isMine) continue
    try {
      const checkoutUrl = await make()
      const until = new Date(clock().getTime() + openSeconds * 1000)
      await db.pendingCheckout.updateMany({ where: { id }, data: { checkoutUrl, expiresAt: until } })
      return checkoutUrl
    } catch (error) {
      await db.pendingCheckout.deleteMany({ where: { id } })
      throw error
    }
  }
  refuse('PAYMENT_PROVIDER_IS_AWAY', { retryAfterSeconds: makingSeconds })
}

type LinkOptions = { environment: 'test_mode' | 'live_mode'; returnUrl: string; metadata: Record<string, string> }

/** The provider's static checkout page with every option of the specification in its query. */
export function checkoutLink(options: CheckoutLink, { environment, returnUrl, metadata }: LinkOptions): string {
  const host = environment === 'live_mode' ? 'checkout.dodopayments.com' : 'test.checkout.dodopayments.com'
  const url = new URL(`https://${host}/buy/${encodeURIComponent(options.productId)}`)
  const set = (name: string, value: string | number | boolean | undefined) => {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  set('quantity', options.quantity)
  set('redirect_url', returnUrl)
  const flags = new Map(Object.entries(options))
  for (const name of disablable) {
    // The page does not look at a full name beside a part of it.
    const isPart = name === 'fullName' && (options.firstName !== undefined || options.lastName !== undefined)
    if (isPart) continue
    set(name, options[name])
    const flag = `disable${name[0]?.toUpperCase()}${name.slice(1)}`
    if (flags.get(flag) === true) set(flag, true)
  }
  set('paymentCurrency', options.paymentCurrency?.toUpperCase())
  set('showCurrencySelector', options.showCurrencySelector)
  set('paymentAmount', options.paymentAmount)
  set('showDiscounts', options.showDiscounts)
  for (const [key, value] of Object.entries(metadata)) set(`metadata_${key}`, value)
  return url.href
}
