import { z } from 'zod'
import type { CustomerRow, OpenPortal } from '../../../shared/payment.ts'
import { record } from '../../event/record.ts'
import type { Db } from '../../foundation/database.ts'
import { refuse } from '../../foundation/refusal.ts'
import type { CallerContext } from '../../request/context.ts'
import { markCustomerMissing } from '../attribution/customers.ts'
import { customersOf } from '../attribution/owned-customers.ts'
import type { BillingOwner } from '../billing-owner/billing-owner.ts'
import { ownerEvent, requireBillingOwner } from '../billing-owner/require-billing-owner.ts'
import { callPaymentProvider, paymentProviderStatus } from '../provider/provider-api.ts'
import { customersWithPurchases } from '../subscriptions/subscriptions.ts'

const Portal = z.object({ link: z.url({ protocol: /^https?$/ }) })

type PortalInput = z.output<typeof OpenPortal>

/** The customers at the provider that represent the owner, those with an active subscription first. */
export async function listCustomers(db: Db, owner: BillingOwner): Promise<z.input<typeof CustomerRow>[]> {
  const customers = await customersOf(db, owner)
  const known = customers.filter(({ missingSince }) => missingSince === null)
  const ordered = await customersWithPurchases(db, known)
  return ordered.map(({ customerId: id, email }) => ({ id, email }))
}

/**
 * Opens the provider's pages for payment methods, invoices and cancellation, for the given customer or the first one
 * that the provider knows.
 */
export async function createPortalSession(ctx: CallerContext, { organizationId, customerId }: PortalInput) {
  const owner = await requireBillingOwner(ctx, organizationId)
  if (!ctx.config.payments) refuse('PAYMENTS_ARENT_ENABLED')
  const customers = await listCustomers(ctx.db, owner)
  const wanted = customers.filter(({ id }) => customerId === undefined || id === customerId)
  const return_url = `${ctx.config.appOrigin}/billing`
  for (const { id } of wanted) {
    try {
      const { link } = await callPaymentProvider(ctx.config.payments, Portal, (client) =>
        client.customers.customerPortal.create(id, { return_url }),
      )
      await record(ctx.db, ctx, { type: 'payment.portal_opened', ...ownerEvent(ctx, owner), data: {} })
      return { link }
    } catch (error) {
      if (paymentProviderStatus(error) !== 404) throw error
      await markCustomerMissing(ctx.db, id, ctx.now)
    }
  }
  refuse('NO_PURCHASES')
}
