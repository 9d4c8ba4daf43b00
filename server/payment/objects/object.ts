import type { z } from 'zod'
import { statement } from '../../foundation/statement.ts'
import type { PgTransaction } from '../../foundation/transactions.ts'
import { billingOwnerColumns, type BillingOwner } from '../billing-owner/billing-owner.ts'
import type { Party } from './fields.ts'

/** The event that writes a row: its payload, the envelope's time and the webhook-id. */
type WrittenBy = { payload: unknown; eventAt: Date; eventId: string }

/** A row before an event. `wasCancelingAtPeriodEnd`: a subscription that was set to end at its next billing date. */
export type RowChange = {
  formerStatus: string | null
  isNewer: boolean
  wasCancelingAtPeriodEnd: boolean
  hadNoOwner: boolean
}

/** Emails that an event can cause. */
export type Notice =
  | 'paymentFailed'
  | 'subscriptionPastDue'
  | 'subscriptionOnHold'
  | 'subscriptionEnded'
  | 'trialEnding'

/**
 * The object of an event: the row that it writes, the fields that identify its owner, and the objects that it refers
 * to.
 */
export type PaymentObject = {
  /** Table and primary key of the row. */
  table: 'Payment' | 'Refund' | 'Dispute' | 'Subscription' | 'LicenseKey'
  id: string
  status: string | null
  customer?: z.output<typeof Party> | undefined
  /** Metadata passed at the checkout. Only fields signed by our server are trusted. */
  metadata?: Record<string, unknown>
  /** A refund, dispute or license key belongs to the owner of its payment or its subscription. */
  paymentId?: string | undefined
  subscriptionId?: string | undefined
  /** The email that is sent when the row takes this state. */
  notice?: Notice | undefined
  /** The date named in the email. */
  until?: Date | undefined
  /** A purchase was completed, so its pending checkout has ended. */
  isCompleted?: boolean
  /**
   * Inserts the row, or updates it when the event is newer: by the later time; at the same time by a terminal state,
   * then by the greater webhook-id. A total order, so that any order of arrival leads to the same row (SEC-76). A known
   * owner stays.
   */
  write: (sql: PgTransaction, by: WrittenBy, owner: BillingOwner | undefined) => Promise<RowChange>
  /** Sets the owner of a row that has none. Refunds and disputes have no owner of their own. */
  assign?: (sql: PgTransaction, owner: BillingOwner) => Promise<void>
}

/** Tables whose rows have an owner of their own, with their primary keys. */
const ownedTables = { Payment: 'paymentId', Subscription: 'subscriptionId', LicenseKey: 'id' } as const

/** Made once: a prepared statement is known by its name. */
const assignments = {
  Payment: assignment('Payment'),
  Subscription: assignment('Subscription'),
  LicenseKey: assignment('LicenseKey'),
}

function assignment(table: keyof typeof ownedTables) {
  return statement(
    `payments.assign.${table}`,
    `update "${table}" set "userId" = :userId, "organizationId" = :organizationId
    where "${ownedTables[table]}" = :id and "userId" is null and "organizationId" is null`,
  )
}

/** Sets the owner of a row of this table, unless an event has set one in the meantime. */
export function assignUnassigned(table: keyof typeof ownedTables, id: string) {
  return async (sql: PgTransaction, owner: BillingOwner): Promise<void> => {
    await sql.query(assignments[table]({ id, ...billingOwnerColumns(owner) }))
  }
}
