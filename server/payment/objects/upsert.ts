import { type NamedStatement, statement } from '../../foundation/statement.ts'
import type { Sql } from '../../foundation/transactions.ts'
import type { Change, PaymentObject } from './object.ts'

type Table = {
  name: PaymentObject['table']
  key: string
  /** The columns besides the key, `createdAt`, and those of the event and the owner. */
  columns: readonly string[]
  /** The column of the status, and the states after which no other one follows. */
  status: { column: string; terminal: readonly string[] }
  hasOwner: boolean
  /** Columns that are not simply replaced: SQL of their new values, with `t` the row and `excluded` the event's. */
  kept?: Record<string, string>
  /** SQL for `wasEnding` of the change. */
  wasEnding?: string
}

/** Columns of the owner: a known owner stays. */
const keptOwner = {
  userId: `case when t."organizationId" is null then coalesce(t."userId", excluded."userId") end`,
  organizationId: `case when t."userId" is null then coalesce(t."organizationId", excluded."organizationId") end`,
}

/** A row keeps the customer that an earlier event named. */
export const keptCustomer = { customerId: `coalesce(nullif(excluded."customerId", ''), t."customerId")` }

/**
 * The upsert of one table, whose parameters have the names of its columns. It returns the change: `former` is the
 * locked row from before, `written` the upsert, which changes nothing if the event is not newer.
 */
export function upsertInto({ name, key, columns, status, hasOwner, kept = {}, wasEnding = 'false' }: Table) {
  const own = [...columns, 'createdAt', 'payload', 'eventAt', 'eventId', ...(hasOwner ? Object.keys(keptOwner) : [])]
  const values: Record<string, string> = { ...kept, ...(hasOwner && keptOwner) }
  const terminal = status.terminal.map((state) => `'${state}'`).join(', ')
  const isTerminal = (row: string) =>
    terminal === '' ? 'false' : `coalesce(${row}."${status.column}" in (${terminal}), false)`
  return statement(
    `payments.upsert.${name}`,
    `with former as (
      select "${status.column}" as status, ${wasEnding} as "wasEnding",
        ${hasOwner ? '"userId" is null and "organizationId" is null' : 'false'} as "hadNoOwner"
      from "${name}" where "${key}" = :${key} for update),
    written as (
      insert into "${name}" as t (${[key, ...own].map((column) => `"${column}"`).join(', ')})
      values (${[key, ...own].map((column) => `:${column}`).join(', ')})
      on conflict ("${key}") do update set
        ${own.map((column) => `"${column}" = ${values[column] ?? `excluded."${column}"`}`).join(',\n        ')}
      where (t."eventAt", ${isTerminal('t')}, t."eventId")
        < (excluded."eventAt", ${isTerminal('excluded')}, excluded."eventId")
      returning 1)
    select (select status from former) as "formerStatus", exists (select from written) as "isNewer",
      coalesce((select "wasEnding" from former), false) as "wasEnding",
      coalesce((select "hadNoOwner" from former), false) as "hadNoOwner"`,
  )
}

const unchanged: Change = { formerStatus: null, isNewer: false, wasEnding: false, hadNoOwner: false }

/** Runs the upsert of one table. */
export async function upsert(sql: Sql, row: NamedStatement): Promise<Change> {
  const { rows } = await sql.query<Change>(row)
  return rows[0] ?? unchanged
}
