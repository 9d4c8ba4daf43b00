import type { Pool } from 'pg'
import type { Db, Tx } from './database.ts'
import { statement } from './statement.ts'

/** At most `max` calls per window of `seconds`, counted per key. */
export type RateLimit = { key: string; max: number; seconds: number }

/** How many times the limit of a /64 applies to an IPv6 /48 (SEC-26). */
export const siteMultiplier = 10

/** A limit for each of a client's networks, the smaller one first. Their keys end in the network. */
export function limitsOfNetworks([subnet, site]: [subnet: string, site?: string], limit: RateLimit): RateLimit[] {
  const { key, max, seconds } = limit
  const limits = [{ key: `${key}:${subnet}`, max, seconds }]
  if (site !== undefined) limits.push({ key: `${key}:${site}`, max: max * siteMultiplier, seconds })
  return limits
}

/** Number of windows in memory above which expired ones are removed, at most once a second. */
const maxWindows = 50_000

export type Limiter = ReturnType<typeof createLimiter>

/**
 * Fixed-window rate limiter. Strict limits are counted in PostgreSQL, shared by all processes. The global limit, which
 * only keeps one client from overloading the server, is counted in process memory. If `isOn` is false, nothing is
 * counted.
 */
export function createLimiter(pool: Pool, isOn: boolean) {
  const windows = new Map<string, { count: number; endsAt: number }>()
  let sweptAt = 0
  return {
    /** Increments all keys in one statement. Returns the seconds to wait, or 0 if no limit is exceeded. */
    async consume(limits: RateLimit[], now: Date): Promise<number> {
      if (!isOn) return 0
      const { rows } = await pool.query<Count>(countLimits(limits, now))
      return waitOf(rows, limits, now)
    },

    /** Like `consume`, but inside a transaction: the counts are rolled back with it. */
    async consumeIn(tx: Tx, limits: RateLimit[], now: Date): Promise<number> {
      if (!isOn) return 0
      const { text, values } = countLimits(limits, now)
      return waitOf(await tx.$queryRawUnsafe<Count[]>(text, ...values), limits, now)
    },

    /** Decrements each key, for an action that was counted but did not happen. */
    async refund(keys: string[]): Promise<void> {
      if (!isOn || keys.length === 0) return
      await pool.query(refundKeys({ keys }))
    },

    /** Resets the windows of these keys. */
    async reset(keys: string[]): Promise<void> {
      if (!isOn || keys.length === 0) return
      await pool.query(deleteKeys({ keys }))
    },

    /** The seconds to wait for a limit that is counted in memory. Does not count. */
    peekInMemory({ key, max }: RateLimit, now: Date): number {
      const window = isOn ? windows.get(key) : undefined
      return window && window.endsAt > now.getTime() && window.count >= max ? secondsUntil(window.endsAt, now) : 0
    },

    /** Like `consume`, but counted in memory. Returns the seconds to wait, or 0 if the limit is not exceeded. */
    consumeInMemory({ key, max, seconds }: RateLimit, now: Date): number {
      if (!isOn) return 0
      const at = now.getTime()
      const window = windows.get(key)
      if (!window || window.endsAt <= at) {
        if (windows.size > maxWindows && at - sweptAt >= 1_000) {
          sweptAt = at
          for (const [old, { endsAt }] of windows) if (endsAt <= at) windows.delete(old)
        }
        windows.set(key, { count: 1, endsAt: at + seconds * 1000 })
        return 0
      }
      window.count++
      return window.count > max ? secondsUntil(window.endsAt, now) : 0
    },
  }
}

const count = statement(
  'limits.count',
  `insert into "RateLimitCounter" as held (key, count, "expiresAt")
  select key, 1, :now::timestamptz + seconds * interval '1 second'
  from unnest(:keys::text[], :seconds::int[]) as wanted (key, seconds)
  on conflict (key) do update set
    count = case when held."expiresAt" <= :now::timestamptz then 1 else held.count + 1 end,
    "expiresAt" = case when held."expiresAt" <= :now::timestamptz then excluded."expiresAt" else held."expiresAt" end
  returning key, count, "expiresAt"`,
)

/** Locks rows in the same order as counting does, so that counting and refunding cannot deadlock. */
const lockSql = `select key from "RateLimitCounter" where key = any(:keys) order by key for update`
const refundKeys = statement(
  'limits.refund',
  `update "RateLimitCounter" set count = count - 1 where key in (${lockSql}) and count > 0`,
)
const deleteKeys = statement('limits.reset', `delete from "RateLimitCounter" where key in (${lockSql})`)

type Count = { key: string; count: number; expiresAt: Date }

/**
 * Increments counters, or starts their windows again. The keys are sorted, so that two statements with the same keys
 * cannot deadlock.
 */
export function countLimits(limits: readonly RateLimit[], now: Date) {
  const sorted = limits.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return count({ keys: sorted.map(({ key }) => key), seconds: sorted.map(({ seconds }) => seconds), now })
}

/** The longest wait among the exceeded limits. */
function waitOf(counts: Count[], limits: RateLimit[], now: Date): number {
  const waits = counts.map(({ key, count, expiresAt }) => {
    const max = limits.find((limit) => limit.key === key)?.max ?? 0
    return count > max ? secondsUntil(expiresAt.getTime(), now) : 0
  })
  return Math.max(0, ...waits)
}

function secondsUntil(time: number, now: Date): number {
  return Math.max(1, Math.ceil((time - now.getTime()) / 1000))
}

/** Deletes up to `limit` counts of windows that have ended. Returns how many. */
export async function deleteExpiredLimits(db: Db, { now, limit }: { now: Date; limit: number }): Promise<number> {
  return db.$executeRaw`
    delete from "RateLimitCounter" where key in (select key from "RateLimitCounter" where "expiresAt" <= ${now} limit ${limit})`
}
