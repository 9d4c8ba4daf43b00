import type { Request, Response } from 'express'
import type { App } from '../../dependencies.ts'
import { answerJson } from '../respond.ts'

/** A job that is due for so long, and that nobody has taken, means that no job runs. */
const stalledSeconds = 120

/** Readiness: is the database there, does it have this version's tables, how long does the oldest mail wait? */
export function health(app: App, newestMigration: string | undefined) {
  return async (_request: Request, response: Response): Promise<void> => {
    response.setHeader('Cache-Control', 'no-store')
    try {
      const { rows } = await app.pool.query<{
        isMigrated: boolean
        waiting: number
        since: Date | null
        dueSeconds: number | null
      }>({
        name: 'health',
        values: [newestMigration ?? null],
        text: `select $1::text is null or exists (
            select from _prisma_migrations where migration_name = $1 and finished_at is not null) as "isMigrated",
          count(*)::int as waiting, min("createdAt") as since,
          (select extract(epoch from now() - min(run_at))::int from graphile_worker.jobs
            where run_at <= now() and locked_at is null and attempts < max_attempts) as "dueSeconds"
          from (select "createdAt" from "Mail" where "deliveredAt" is null and "givenUpAt" is null order by "createdAt" limit 1000) as waiting`,
      })
      const { isMigrated = false, waiting = 0, since = null, dueSeconds } = rows[0] ?? {}
      const seconds = since && app.outbox.delivers ? Math.round((app.clock().getTime() - since.getTime()) / 1000) : 0
      const outbox = { waiting: app.outbox.delivers ? waiting : 0, oldestSeconds: Math.max(0, seconds) }
      // Jobs are due and none of any process has taken them: mails and sweeps stand still, while requests are served.
      const jobs = (dueSeconds ?? 0) > stalledSeconds ? 'stalled' : 'ok'
      const state = !isMigrated ? 'unavailable' : jobs === 'ok' ? 'ok' : 'degraded'
      const report = { status: state, database: 'ok', migrations: isMigrated ? 'ok' : 'missing', outbox, jobs }
      answerJson(response, JSON.stringify(report), isMigrated ? 200 : 503)
    } catch {
      response.setHeader('Retry-After', '5')
      answerJson(response, JSON.stringify({ status: 'unavailable', database: 'unavailable' }), 503)
    }
  }
}
