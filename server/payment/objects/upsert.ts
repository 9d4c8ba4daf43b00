import type { NamedStatement } from '../../foundation/statement.ts'
import type { PgTransaction } from '../../foundation/transactions.ts'
import type { RowChange } from './object.ts'

/**
 * The end of each upsert of this folder, which returns the change: `former` is the row from before, locked, and
 * `written` the row that the upsert has written, none if the event is not newer.
 */
export const returnChangeSql = `select (select status from former) as "formerStatus", exists (select from written) as "isNewer",
    coalesce((select "wasCancelingAtPeriodEnd" from former), false) as "wasCancelingAtPeriodEnd",
    coalesce((select "hadNoOwner" from former), false) as "hadNoOwner"`

/** An event is newer by its time, at the same time by a terminal state, then by the greater webhook-id (SEC-76). */
export const isNewerSql = (status: string) => `(t."eventAt", coalesce(t.${status} = any(:terminal), false), t."eventId")
      < (excluded."eventAt", coalesce(excluded.${status} = any(:terminal), false), excluded."eventId")`

/** A known owner stays, whichever kind it is. */
export const keepOwnerSql = `"userId" = case when t."organizationId" is null then coalesce(t."userId", excluded."userId") end,
      "organizationId" = case when t."userId" is null then coalesce(t."organizationId", excluded."organizationId") end`

const unchanged: RowChange = { formerStatus: null, isNewer: false, wasCancelingAtPeriodEnd: false, hadNoOwner: false }

/** Runs the upsert of one table. */
export async function upsert(sql: PgTransaction, row: NamedStatement): Promise<RowChange> {
  const { rows } = await sql.query<RowChange>(row)
  return rows[0] ?? unchanged
}
