import { z } from 'zod'
import type { App } from '../dependencies.ts'
import { refuse } from '../foundation/refusal.ts'
import { applySnapshot, fetchSnapshot } from './apply-snapshot.ts'
import { findKnown } from './compared.ts'
import { type Comparison, comparisons } from './comparisons.ts'
import { providerStatus } from './provider-api.ts'

/** What a payment of the provider says about its refunds and disputes. */
const Listed = z.object({
  refunds: z.array(z.object({ refund_id: z.string().max(256), status: z.string().nullish() })).nullish(),
  disputes: z.array(z.object({ dispute_id: z.string().max(256), dispute_status: z.string().nullish() })).nullish(),
})

/**
 * Reads a payment at the provider, with the refunds and disputes whose events have not arrived, and applies them.
 * Refused if the provider does not answer. A payment that it does not know stays as it is.
 */
export async function refreshPayment(
  app: App,
  { paymentId, eventAt }: { paymentId: string; eventAt: Date },
): Promise<void> {
  const snapshot = await fetchSnapshot(app, 'payment.updated', (client) =>
    client.payments.retrieve(paymentId).withResponse(),
  ).catch((error: unknown) => {
    if (providerStatus(error) !== 404) throw error
  })
  if (!snapshot) return
  await applySnapshot(app, snapshot, { id: paymentId, knownSince: eventAt })
  const { data: listed } = Listed.safeParse(snapshot.data)
  if (!listed) refuse('PAYMENT_PROVIDER_INVALID_RESPONSE')
  const refunds = listed.refunds?.map(({ refund_id: id, status = null }) => ({ id, status })) ?? []
  const disputes = listed.disputes?.map(({ dispute_id: id, dispute_status: status = null }) => ({ id, status })) ?? []
  await refreshListed(app, comparisons.refunds, refunds)
  await refreshListed(app, comparisons.disputes, disputes)
}

/** Reads and applies the objects of which our row has another status, or which have no row. */
async function refreshListed(
  app: App,
  { table, type, read }: Comparison,
  listed: { id: string; status: string | null }[],
): Promise<void> {
  const known = await findKnown(
    app.db,
    table,
    listed.map(({ id }) => id),
  )
  for (const { id, status } of listed) {
    const row = known.get(id)
    if (row && row.status === status) continue
    const snapshot = await fetchSnapshot(app, type, (client) => read(client, id).withResponse())
    await applySnapshot(app, snapshot, { id, knownSince: row?.eventAt })
  }
}
