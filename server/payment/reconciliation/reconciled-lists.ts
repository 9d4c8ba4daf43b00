import type DodoPayments from 'dodopayments'
import type { Snapshot } from '../events/apply-snapshot.ts'
import type { ReconciledTable } from '../records/reconciled-rows.ts'

/** The provider's lists that are compared with our rows. */
export const comparedLists = ['newSubscriptions', 'payments', 'refunds', 'disputes', 'licenseKeys'] as const

/** Where the provider lists one kind of object, and how one of them is read. */
export type Comparison = {
  table: ReconciledTable
  type: Snapshot['type']
  /** Names of the id and, where a change of it matters, of the status in the provider's list. */
  idName: string
  statusName?: string
  list: (client: DodoPayments, query: ListQuery) => { asResponse: () => Promise<Response> }
  read: (client: DodoPayments, id: string) => { withResponse: () => PromiseLike<unknown> }
}
type ListQuery = { created_at_gte: string; page_number: number; page_size: number }

export const comparisons: Record<(typeof comparedLists)[number], Comparison> = {
  // Known subscriptions are compared individually.
  newSubscriptions: {
    table: 'Subscription',
    type: 'subscription.updated',
    idName: 'subscription_id',
    list: ({ subscriptions }, query) => subscriptions.list(query),
    read: ({ subscriptions }, id) => subscriptions.retrieve(id),
  },
  payments: {
    table: 'Payment',
    type: 'payment.updated',
    idName: 'payment_id',
    statusName: 'status',
    list: ({ payments }, query) => payments.list(query),
    read: ({ payments }, id) => payments.retrieve(id),
  },
  refunds: {
    table: 'Refund',
    type: 'refund.updated',
    idName: 'refund_id',
    statusName: 'status',
    list: ({ refunds }, query) => refunds.list(query),
    read: ({ refunds }, id) => refunds.retrieve(id),
  },
  disputes: {
    table: 'Dispute',
    type: 'dispute.updated',
    idName: 'dispute_id',
    statusName: 'dispute_status',
    list: ({ disputes }, query) => disputes.list(query),
    read: ({ disputes }, id) => disputes.retrieve(id),
  },
  licenseKeys: {
    table: 'LicenseKey',
    type: 'license_key.created',
    idName: 'id',
    statusName: 'status',
    list: ({ licenseKeys }, query) => licenseKeys.list(query),
    read: ({ licenseKeys }, id) => licenseKeys.retrieve(id),
  },
}
