import type { z } from 'zod'
import type { Sql } from '../../foundation/database.ts'
import { type Owner, columnsOf } from '../owner.ts'
import type { Party } from './fields.ts'

/** The event that writes a row: its payload, the envelope's time and the webhook-id. */
export type WrittenBy = { payload: unknown; eventAt: Date; eventId: string }

/** A row before an event. `wasEnding`: a subscription that was set to end at its next billing date. */
export type Change = { formerStatus: string | null; isNewer: boolean; wasEnding: boolean; hadNoOwner: boolean }

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
  isPurchase?: boolean
  /**
   * Inserts the row, or updates it when the event is newer: by the later time; at the same time by a terminal state, then by
   * the greater webhook-id. A total order, so that any order of arrival leads to the same row (SEC-76). A known owner stays.
   */
  write: (sql: Sql, by: WrittenBy, owner: Owner | undefined) => Promise<Change>
  /** Sets the owner of a row that has none. Refunds and disputes have no owner of their own. */
  assign?: (sql: Sql, owner: Owner) => Promise<void>
}

/** The statements of `assign`. */
const assignTexts = {
  Payment: `update "Payment" set "userId" = $2, "organizationId" = $3
    where "paymentId" = $1 and "userId" is null and "organizationId" is null`,
  Subscription: `update "Subscription" set "userId" = $2, "organizationId" = $3
    where "subscriptionId" = $1 and "userId" is null and "organizationId" is null`,
  LicenseKey: `update "LicenseKey" set "userId" = $2, "organizationId" = $3
    where id = $1 and "userId" is null and "organizationId" is null`,
}

/** `assign` of one table. */
export function assignOwnerless(table: keyof typeof assignTexts, id: string) {
  return async (sql: Sql, owner: Owner): Promise<void> => {
    const { userId, organizationId } = columnsOf(owner)
    const values = [id, userId, organizationId]
    await sql.query({ name: `payments.assign.${table}`, text: assignTexts[table], values })
  }
}

/** The condition of every upsert: is the event newer than the one that wrote the row `t`? */
export function isNewer(status: string, terminal: readonly string[]): string {
  const list = terminal.map((state) => `'${state}'`).join(', ')
  const isTerminal = (row: string) => (list === '' ? 'false' : `coalesce(${row}."${status}" in (${list}), false)`)
  return `(t."eventAt", ${isTerminal('t')}, t."eventId") < (excluded."eventAt", ${isTerminal('excluded')}, excluded."eventId")`
}

/** Columns of the owner in an upsert: a known owner stays. */
export const keepOwner = `
  "userId" = case when t."organizationId" is null then coalesce(t."userId", excluded."userId") end,
  "organizationId" = case when t."userId" is null then coalesce(t."organizationId", excluded."organizationId") end`

/**
 * The final part of each upsert, which returns the change. `former` is the locked row from before, `written` the
 * upsert.
 */
export const changeText = `
  select (select status from former) as "formerStatus", exists (select from written) as "isNewer",
    coalesce((select "wasEnding" from former), false) as "wasEnding",
    coalesce((select "hadNoOwner" from former), false) as "hadNoOwner"`

const unchanged: Change = { formerStatus: null, isNewer: false, wasEnding: false, hadNoOwner: false }

/** Runs the upsert of one table. */
export async function upsert(sql: Sql, name: string, text: string, values: readonly unknown[]): Promise<Change> {
  const { rows } = await sql.query<Change>({ name: `payments.upsert.${name}`, text, values: [...values] })
  return rows[0] ?? unchanged
}
