import type { Pool } from 'pg'
import type { Queue } from '../foundation/metrics.ts'
import { statement } from '../foundation/statement.ts'

/** What waits to be sent or done. Counts up to 1000 of each, the oldest first, along their indexes. */
export async function readQueues(pool: Pool, now: Date): Promise<Queue[]> {
  const { rows } = await pool.query<Queue>(read({ now }))
  return rows
}

const read = statement(
  'queues.read',
  `with waiting as (
    (select 'mails' as queue, "createdAt" as since from "Mail"
      where "deliveredAt" is null and "givenUpAt" is null order by "createdAt" limit 1000)
    union all
    (select 'deliveries', "nextTryAt" from "WebhookDelivery" where "nextTryAt" <= :now::timestamptz limit 1000)
    union all
    (select 'jobs', run_at from graphile_worker.jobs
      where run_at <= :now::timestamptz and locked_at is null and attempts < max_attempts limit 1000))
  select queue, count(since)::int as waiting,
    coalesce(extract(epoch from :now::timestamptz - min(since)), 0)::float8 as "oldestSeconds"
  from unnest(array['mails', 'deliveries', 'jobs']) as queue left join waiting using (queue)
  group by queue`,
)
