import type { App } from '../dependencies.ts'
import type { Sql } from '../foundation/database.ts'
import { type Attribution, assignKeys, rememberCustomer, markAssigned } from './attribution.ts'
import type { Envelope } from './envelope.ts'
import { notifyOwner } from './notify-owner.ts'
import { type Owner, columnsOf, ownerKey } from './owner.ts'
import type { Plan, Projection } from './plan.ts'

export type PaymentEvent = Envelope & { id: string }

/** Does the event belong to somebody? Those that do not wait for an administrator; kinds without rows are done. */
export function needsNoOwner({ projection }: Plan, { owner }: Attribution): boolean {
  return projection === undefined || owner !== undefined
}

/** Brings what an event says into the rows that are shown, in the transaction of its caller. */
export async function applyEvent(
  sql: Sql,
  app: App,
  { event, plan, attribution }: { event: PaymentEvent; plan: Plan; attribution: Attribution },
  now: Date,
): Promise<void> {
  const { projection, customer, notice, isPurchase } = plan
  const { owner, tie, hasUnassigned, hasKeys } = attribution
  if (!projection) return
  const { table, key } = projection
  if (customer) await rememberCustomer(sql, customer, tie, { now, eventAt: event.occurredAt })
  const change = await project(sql, event, projection, owner)
  if (owner && hasKeys) await assignKeys(sql, projection, owner)
  if (owner && hasUnassigned) {
    const paymentId = table === 'Payment' ? key[1] : null
    const subscriptionId = table === 'Subscription' ? key[1] : null
    await markAssigned(sql, { customerId: customer?.customer_id ?? null, paymentId, subscriptionId }, now)
  }
  if (!owner || !change.isNewer || change.formerStatus === projection.values[projection.statusColumn]) return
  if (isPurchase) {
    const start = `${ownerKey(owner)}:%`
    await sql.query({
      name: 'payments.done',
      text: 'delete from "PendingCheckout" where "purchaseKey" like $1',
      values: [start],
    })
  }
  // A subscription that ended when it was cancelled is not reported a second time when it expires.
  const isOld = notice === 'subscriptionEnded' && change.formerStatus === 'cancelled' && !change.wasEnding
  if (notice && !isOld) await notifyOwner(sql, app, notice, owner, now)
}

/**
 * Writes one row by the newest event alone, in one statement. Newest is the later time; of one moment the terminal state, then
 * the greater webhook-id: a total order, so that whatever order events arrive in, the same row stands (SEC-76). An owner,
 * once known, stays.
 */
async function project(
  sql: Sql,
  event: PaymentEvent,
  projection: Projection,
  owner: Owner | undefined,
): Promise<Change> {
  const { table, key, terminal, statusColumn, values } = projection
  const status = values[statusColumn]
  const isTerminal = typeof status === 'string' && terminal.includes(status)
  const hasOwner = table !== 'Refund' && table !== 'Dispute'
  const columns = {
    [key[0]]: key[1],
    ...values,
    payload: JSON.stringify(event.data),
    eventAt: event.occurredAt,
    eventId: event.id,
    ...(hasOwner && columnsOf(owner)),
  }
  const all = Object.entries(columns).map(([, value]) => (typeof value === 'bigint' ? String(value) : value))
  const { rows } = await sql.query<Change & { hasNoOwner: boolean }>({
    name: `payments.project.${table}`,
    text: projectText(projection, Object.keys(columns), hasOwner),
    values: [...all, key[1], [...terminal], isTerminal],
  })
  const [row] = rows
  if (owner && row?.hasNoOwner && !row.isNewer) {
    const { userId, organizationId } = columnsOf(owner)
    await sql.query({
      name: `payments.own.${table}`,
      text: `update "${table}" set "userId" = $2, "organizationId" = $3
        where "${key[0]}" = $1 and "userId" is null and "organizationId" is null`,
      values: [key[1], userId, organizationId],
    })
  }
  return row ?? { formerStatus: null, isNewer: false, wasEnding: false }
}

/** What a row was before, and whether the event wrote it; `wasEnding`: a subscription that was to end at its next date. */
type Change = { formerStatus: string | null; isNewer: boolean; wasEnding: boolean }

/** One text for each table: its columns are always the same, so PostgreSQL prepares it once. */
function projectText({ table, key, statusColumn }: Projection, columns: string[], hasOwner: boolean): string {
  const names = columns.map((column) => `"${column}"`)
  const places = columns.map((column, n) => `$${n + 1}${column === 'payload' ? '::jsonb' : ''}`)
  const [keyParameter, terminalParameter, isTerminalParameter] = [1, 2, 3].map((n) => `$${columns.length + n}`)
  const changes = columns.map((column) => {
    if (column === 'userId')
      return '"userId" = case when t."organizationId" is null then coalesce(t."userId", excluded."userId") end'
    if (column === 'organizationId')
      return '"organizationId" = case when t."userId" is null then coalesce(t."organizationId", excluded."organizationId") end'
    if (column === 'statusSince')
      return '"statusSince" = case when t.status is not distinct from excluded.status then t."statusSince" else excluded."statusSince" end'
    return `"${column}" = excluded."${column}"`
  })
  const wasEnding = table === 'Subscription' ? '"cancelAtNextBillingDate"' : 'false'
  return `
    with former as (
      select "${statusColumn}" as status, ${hasOwner ? '"userId" is null and "organizationId" is null' : 'false'} as "hasNoOwner",
        ${wasEnding} as "wasEnding"
      from "${table}" where "${key[0]}" = ${keyParameter} for update),
    written as (
      insert into "${table}" as t (${names.join(', ')}) values (${places.join(', ')})
      on conflict ("${key[0]}") do update set ${changes.join(', ')}
      where (t."eventAt", coalesce(t."${statusColumn}" = any(${terminalParameter}::text[]), false), t."eventId")
        < (excluded."eventAt", ${isTerminalParameter}::boolean, excluded."eventId")
      returning 1)
    select (select status from former) as "formerStatus", exists (select from written) as "isNewer",
      coalesce((select "hasNoOwner" from former), false) as "hasNoOwner",
      coalesce((select "wasEnding" from former), false) as "wasEnding"`
}
