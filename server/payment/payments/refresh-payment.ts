import { z } from 'zod'
import { terminalStatuses } from '../../../shared/payment.ts'
import type { App } from '../../dependencies.ts'
import { refuse } from '../../foundation/refusal.ts'
import { applySnapshot, fetchSnapshot, isAbout, type Snapshot } from '../events/apply-snapshot.ts'
import { paymentProviderStatus } from '../provider/provider-api.ts'
import { type ReconciledTable, findKnown } from '../records/reconciled-rows.ts'

/** Visible characters, as in all ids of the provider. */
const Id = z.string().regex(/^[\u0021-\u007e]{1,256}$/)
const Status = z.string().nullish()

/** What a payment of the provider says about itself, its refunds and disputes. */
const ProviderPaymentBody = z.looseObject({
  status: z.string(),
  total_amount: z.number(),
  /** `full` or `partial`. */
  refund_status: z.string().nullish().catch(null),
  refunds: z
    .array(
      z.looseObject({
        refund_id: Id,
        status: Status,
        is_partial: z.boolean().nullish(),
        amount: z.number().nullish(),
      }),
    )
    .max(200),
  disputes: z.array(z.looseObject({ dispute_id: Id, dispute_status: Status })).max(200),
})

/** A payment at the provider, as far as it decides whether the payment can be refunded. */
type ProviderPayment = {
  isFullyRefunded: boolean
  refunds: { status: string | null; isPartial: boolean; amount: number | null }[]
  disputes: { status: string | null }[]
}

/**
 * Reads a payment at the provider, and applies it with the refunds and disputes whose events have not arrived. Refused
 * if the provider does not answer, or not about this payment. Undefined if it does not know the payment: a refund of it
 * is then refused by the provider.
 */
export async function refreshPayment(
  app: App,
  { paymentId, eventAt }: { paymentId: string; eventAt: Date },
): Promise<ProviderPayment | undefined> {
  const snapshot = await fetchSnapshot(app, 'payment.updated', (client) =>
    client.payments.retrieve(paymentId).withResponse(),
  ).catch((error: unknown) => {
    if (paymentProviderStatus(error) !== 404) throw error
  })
  if (!snapshot) return undefined
  // All of it is read before any of it is applied.
  const { data, error } = ProviderPaymentBody.safeParse(snapshot.data)
  if (!data || !isAbout(snapshot, paymentId)) refuse('PAYMENT_PROVIDER_INVALID_RESPONSE', { cause: error })
  await applySnapshot(app, snapshot, { id: paymentId, expectedEventAt: eventAt })
  const refunds = data.refunds.map((refund) => ({ ...refund, id: refund.refund_id, status: refund.status ?? null }))
  const disputes = data.disputes.map((one) => ({ ...one, id: one.dispute_id, status: one.dispute_status ?? null }))
  const of = { paymentId, at: snapshot.at }
  await applyListed(app, refunds, { ...of, table: 'Refund', type: 'refund.updated' })
  await applyListed(app, disputes, { ...of, table: 'Dispute', type: 'dispute.updated' })
  return {
    isFullyRefunded: data.refund_status === 'full',
    refunds: refunds.map(({ status, is_partial, amount }) => ({
      status,
      isPartial: is_partial === true,
      amount: amount ?? null,
    })),
    disputes,
  }
}

/** The states of refunds and disputes after which no other one follows. */
const terminal = new Set<string | null>([...terminalStatuses.refund, ...terminalStatuses.dispute])

type ListedContext = { paymentId: string; at: Date | undefined; table: ReconciledTable; type: Snapshot['type'] }

/** Applies the objects of which our row has another status, or which have no row. */
async function applyListed(
  app: App,
  listed: ({ id: string; status: string | null } & Record<string, unknown>)[],
  { paymentId, at, table, type }: ListedContext,
): Promise<void> {
  const byId = new Map(listed.map((one) => [one.id, one]))
  const known = await findKnown(app.db, table, [...byId.keys()])
  for (const { id, status, ...data } of byId.values()) {
    const row = known.get(id)
    // A list that is behind the events does not take an object out of its final state.
    const isBehind = row && terminal.has(row.status) && !terminal.has(status)
    if (row?.status === status || isBehind) continue
    // The list is a part of its payment, whatever the object says.
    const named = { ...data, ...(table === 'Refund' && { status }), payment_id: paymentId }
    await applySnapshot(app, { type, at, data: named }, { id, expectedEventAt: row?.eventAt })
  }
}
