import type { Request, Response } from 'express'
import type { App } from '../../dependencies.ts'
import type { BuildInfo } from '../../foundation/build-info.ts'
import { statement } from '../../foundation/statement.ts'
import { secondsAfter } from '../../foundation/time.ts'
import { sendJson } from '../send.ts'

/** If a job has been due for this long without being taken by a worker, the job engine is considered stalled. */
const stalledSeconds = 120
/** If an email has been waiting for this long, emails are considered delayed: greylisting takes a few minutes. */
const delayedMailSeconds = 900

type Readiness = {
  newestMigration?: string | undefined
  build?: BuildInfo
  isDraining?: () => boolean
}

type Row = {
  isMigrated: boolean
  waiting: number
  since: Date | null
  /**
   * Whether an email has waited for long that was written after all delivered ones. One that others have overtaken may
   * wait because of its address.
   */
  isDelayed: boolean
  dueSeconds: number | null
}

const check = statement(
  'health',
  `select :newest::text is null or exists (
      select from _prisma_migrations where migration_name = :newest and finished_at is not null) as "isMigrated",
    count(*)::int as waiting, min("createdAt") as since,
    coalesce(max("createdAt") filter (where "createdAt" <= :before), '-infinity') > coalesce(
      (select max(newest."createdAt") from (select "createdAt", "sentAt" from "Mail" order by "createdAt" desc limit 1000) as newest
        where newest."sentAt" is not null),
      '-infinity') as "isDelayed",
    (select extract(epoch from now() - min(run_at) filter (where locked_at is null and attempts < max_attempts))::int
      from graphile_worker.jobs where run_at <= now()
      having count(*) filter (where locked_at > now() - make_interval(secs => ${stalledSeconds})) = 0) as "dueSeconds"
  from (select "createdAt" from "Mail" where "sentAt" is null and "rejectedAt" is null order by "createdAt" limit 1000) as waiting`,
)

/** Readiness check: database connection, migrations, and the age of the oldest waiting email. */
export function health(app: App, { newestMigration, build, isDraining = () => false }: Readiness) {
  /** Concurrent requests share one query, so that they use at most one connection of the pool. */
  let looking: Promise<Row | undefined> | undefined
  const look = async () => {
    const { rows } = await app.pool.query<Row>(
      check({ newest: newestMigration ?? null, before: secondsAfter(app.clock(), -delayedMailSeconds) }),
    )
    return rows[0]
  }
  return async (_request: Request, response: Response): Promise<void> => {
    response.setHeader('Cache-Control', 'no-store')
    if (isDraining()) {
      sendJson(response, JSON.stringify({ status: 'draining', ...build }), 503)
      return
    }
    try {
      looking ??= look().finally(() => (looking = undefined))
      const row = await looking
      const { isMigrated = false, waiting = 0, since = null, isDelayed: isMailDelayed = false, dueSeconds } = row ?? {}
      const seconds =
        since && app.outbox.hasMailServer ? Math.round((app.clock().getTime() - since.getTime()) / 1000) : 0
      const outbox = { waiting: app.outbox.hasMailServer ? waiting : 0, oldestSeconds: Math.max(0, seconds) }
      // No process takes due jobs: emails and sweeps are stalled, but requests are still served. Jobs that wait for
      // others to finish do not count; `outbox` reports how long emails have been waiting.
      const jobs = (dueSeconds ?? 0) > stalledSeconds ? 'stalled' : 'ok'
      const isDelayed = app.outbox.hasMailServer && isMailDelayed
      const isDegraded = jobs !== 'ok' || isDelayed
      const state = !isMigrated ? 'unavailable' : isDegraded ? 'degraded' : 'ok'
      const report = {
        status: state,
        ...build,
        database: 'ok',
        migrations: isMigrated ? 'ok' : 'missing',
        outbox: { status: isDelayed ? 'delayed' : 'ok', ...outbox },
        jobs,
      }
      sendJson(response, JSON.stringify(report), isMigrated ? 200 : 503)
    } catch {
      response.setHeader('Retry-After', '5')
      sendJson(response, JSON.stringify({ status: 'unavailable', ...build, database: 'unavailable' }), 503)
    }
  }
}
