import type { App } from '../dependencies.ts'
import type { Queue } from '../foundation/metrics.ts'
import { statement } from '../foundation/statement.ts'
import { daysBefore, secondsBefore } from '../foundation/time.ts'

/** Older emails are retried no more, and are no sign of a delay. */
const mailDays = 1
/** Younger payment events are being applied. */
const applySeconds = 15

/** What waits to be sent or done. Counts up to 1000 of each, the oldest first. */
export async function readQueues({ pool, outbox, clock }: Pick<App, 'pool' | 'outbox' | 'clock'>): Promise<Queue[]> {
  const now = clock()
  const { rows } = await pool.query<Queue>(
    read({
      now,
      mailsAfter: daysBefore(now, mailDays),
      isMailed: outbox.hasMailServer,
      appliedBefore: secondsBefore(now, applySeconds),
    }),
  )
  return rows
}

const read = statement(
  'queues.read',
  `with newest as (
    select max("createdAt") as delivered
    from (select "createdAt", "sentAt" from "Mail" order by "createdAt" desc limit 1000) as recent
    where "sentAt" is not null),
  waiting as (
    -- An email that others have overtaken may wait because of its address, which is no sign of a delay.
    (select 'mails' as queue, case when newest.delivered >= "createdAt" then :now::timestamptz else "createdAt" end as since
      from "Mail", newest
      where :isMailed::boolean and "sentAt" is null and "rejectedAt" is null and "createdAt" > :mailsAfter::timestamptz
      order by "createdAt" limit 1000)
    union all
    (select 'deliveries', "nextTryAt" from "WebhookDelivery" d join "WebhookEndpoint" e on e.id = d."endpointId"
      where e."isEnabled" and "nextTryAt" <= :now::timestamptz order by "nextTryAt" limit 1000)
    union all
    (select 'payments', "receivedAt" from "PaymentEvent"
      where state = 'received' and "receivedAt" <= :appliedBefore::timestamptz order by "receivedAt" limit 1000)
    union all
    (select 'jobs', run_at from graphile_worker.jobs
      where run_at <= :now::timestamptz and locked_at is null and attempts < max_attempts order by run_at limit 1000))
  select queue, count(since)::int as waiting,
    coalesce(extract(epoch from :now::timestamptz - min(since)), 0)::float8 as "oldestSeconds"
  from unnest(array['mails', 'deliveries', 'payments', 'jobs']) as queue left join waiting using (queue)
  group by queue`,
)
