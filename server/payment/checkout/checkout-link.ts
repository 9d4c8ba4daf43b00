import { type CheckoutLink, lockableFields } from '../../../shared/payment.ts'

type LinkOptions = { environment: 'test_mode' | 'live_mode'; returnUrl: string; metadata: Record<string, string> }

/** The URL of the provider's static checkout page, with every option that it documents in its query. */
export function checkoutLink(options: CheckoutLink, { environment, returnUrl, metadata }: LinkOptions): string {
  const host = environment === 'live_mode' ? 'checkout.dodopayments.com' : 'test.checkout.dodopayments.com'
  const url = new URL(`https://${host}/buy/${encodeURIComponent(options.productId)}`)
  const set = (name: string, value: string | number | boolean | undefined) => {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  set('quantity', options.quantity)
  set('redirect_url', returnUrl)
  const flags = new Map(Object.entries(options))
  for (const name of lockableFields) {
    // The page ignores a full name if a first or last name is also given.
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
  // Ours come last, so that a caller's cannot replace them.
  for (const [key, value] of Object.entries({ ...options.metadata, ...metadata })) set(`metadata_${key}`, value)
  return url.href
}
