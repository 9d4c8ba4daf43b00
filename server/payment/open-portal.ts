import type { z } from 'zod'
import type { ForWhom } from '../../shared/payment.ts'
import { record } from '../event/record.ts'
import { callProvider } from '../foundation/dodo.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Caller, Context } from '../request/context.ts'
import { customersOf } from './attribution.ts'
import { ownerEvent, ownerFor } from './find-owner.ts'

/** The provider's own pages for cards, invoices and the end of a subscription. */
export async function openPortal(ctx: Context & Caller, input: z.output<typeof ForWhom>) {
  const owner = await ownerFor(ctx, input.organizationId)
  const [customer] = await customersOf(ctx.db, owner)
  if (!ctx.config.payments) refuse('PAYMENTS_ARENT_ENABLED')
  if (!customer) refuse('NO_PURCHASES')
  const return_url = `${ctx.config.appOrigin}/billing`
  const { link } = await callProvider(ctx.config.payments, (client) =>
    client.customers.customerPortal.create(customer.customerId, { return_url }),
  )
  await record(ctx.db, ctx, { type: 'payment.portal_opened', ...ownerEvent(ctx, owner), data: {} })
  return { link }
}
