import type { Pool } from 'pg'
import type { Tx } from './db.ts'

/** At most `max` times in `seconds`, counted for a key. */
export type Limit = { key: string; max: number; seconds: number }

export type Limiter = ReturnType<typeof openLimiter>

/**
 * Counts in fixed windows. Narrow limits stand in PostgreSQL, where all processes see them; the wide one, which only keeps
 * one address from drowning the rest, in the memory of the process (R51). Each answers the seconds to wait, 0 when free.
 */
export function openLimiter(pool: Pool, isOn: boolean) {
  const windows = new Map<string, { count: number; endsAt: number }>()
  return {
    /** Counts one more: how many there are in this window, and how long to wait if that is too many. */
    async tally({ key, max, seconds }: Limit, now: Date): Promise<{ count: number; waitSeconds: number }> {
      if (!isOn) return { count: 0, waitSeconds: 0 }
      const { rows } = await pool.query<Count>({
        name: 'limits.count',
        text: countText,
        values: [[key], [seconds], now],
      })
      const { count = 0, expiresAt = now } = rows[0] ?? {}
      return { count, waitSeconds: count > max ? secondsUntil(expiresAt.getTime(), now) : 0 }
    },

    /** Counts one more for each key, in one statement: is there room for it under all of them? */
    async hasRoomFor(limits: Limit[], now: Date): Promise<boolean> {
      if (!isOn) return true
      const sorted = inOrder(limits)
      const values = [sorted.map(({ key }) => key), sorted.map(({ seconds }) => seconds), now]
      const { rows } = await pool.query<Count>({ name: 'limits.count', text: countText, values })
      return excesses(rows, sorted).length === 0
    },

    /** One less for each key: what was counted did not come to pass. */
    async giveBack(keys: string[]): Promise<void> {
      if (!isOn) return
      const text = `update "Limit" set count = count - 1 where key in (${lockText}) and count > 0`
      await pool.query({ name: 'limits.give back', text, values: [keys] })
    },

    /** The same inside a transaction: is there room for one more? Counted only with what the transaction keeps. */
    async hasRoom(tx: Tx, limits: Limit[], now: Date): Promise<boolean> {
      if (!isOn) return true
      const sorted = inOrder(limits)
      const keys = sorted.map(({ key }) => key)
      const seconds = sorted.map((limit) => limit.seconds)
      const rows = await tx.$queryRawUnsafe<Count[]>(countText, keys, seconds, now)
      return excesses(rows, sorted).length === 0
    },

    /** What was counted is forgiven: the right password was given. */
    async forgive(keys: string[]): Promise<void> {
      if (!isOn || keys.length === 0) return
      await pool.query({
        name: 'limits.forgive',
        text: `delete from "Limit" where key in (${lockText})`,
        values: [keys],
      })
    },

    /** Counts in memory. */
    countHere({ key, max, seconds }: Limit, now: Date): number {
      if (!isOn) return 0
      const at = now.getTime()
      const window = windows.get(key)
      if (!window || window.endsAt <= at) {
        if (windows.size > 50_000) for (const [old, { endsAt }] of windows) if (endsAt <= at) windows.delete(old)
        windows.set(key, { count: 1, endsAt: at + seconds * 1000 })
        return 0
      }
      window.count++
      return window.count > max ? secondsUntil(window.endsAt, now) : 0
    },
  }
}

const countText = `
  insert into "Limit" as held (key, count, "expiresAt")
  select key, 1, $3::timestamptz + seconds * interval '1 second'
  from unnest($1::text[], $2::int[]) as wanted (key, seconds)
  on conflict (key) do update set
    count = case when held."expiresAt" <= $3::timestamptz then 1 else held.count + 1 end,
    "expiresAt" = case when held."expiresAt" <= $3::timestamptz then excluded."expiresAt" else held."expiresAt" end
  returning key, count, "expiresAt"`

/** Rows are locked in the order in which they are counted, so that counting and forgiving never wait for each other. */
const lockText = `select key from "Limit" where key = any($1) order by key for update`

type Count = { key: string; count: number; expiresAt: Date }

/** Keys in order, so that two counts of the same keys never wait for each other. */
function inOrder(limits: Limit[]): Limit[] {
  return limits.toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

function excesses(counts: Count[], limits: Limit[]): Count[] {
  return counts.filter(({ key, count }) => count > (limits.find((limit) => limit.key === key)?.max ?? 0))
}

function secondsUntil(time: number, now: Date): number {
  return Math.max(1, Math.ceil((time - now.getTime()) / 1000))
}
