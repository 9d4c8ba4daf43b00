import type { Pool } from 'pg'
import type { Where } from './user-search.ts'

/**
 * Up to this number, matching users are counted on each call. Larger counts are cached for `countMs`: counting 200,000
 * costs more than reading a page.
 */
const countedRows = 1_000

const countMs = 30_000

const maxCounts = 200

type Count = { total: Promise<number>; until: number }

const counts = new WeakMap<Pool, Map<string, Count>>()

export async function countUsers(pool: Pool, { text, values }: Where, now: Date): Promise<number> {
  const few = `select count(*)::int as total from (select 1 from "User" u ${text} limit ${countedRows + 1}) counted`
  const total = await readCount(pool, { text: few, values })
  if (total <= countedRows) return total
  const ofPool = counts.get(pool) ?? new Map<string, Count>()
  counts.set(pool, ofPool)
  // Excludes the time that bans are compared with, which differs on each call.
  const key = JSON.stringify([text, values.filter((value) => value !== now)])
  const known = ofPool.get(key)
  if (known && known.until > now.getTime()) return known.total
  const all = `select count(*)::int as total from "User" u ${text}`
  const count = { total: readCount(pool, { text: all, values }), until: now.getTime() + countMs }
  count.total.catch(() => ofPool.delete(key))
  if (ofPool.size >= maxCounts) ofPool.clear()
  ofPool.set(key, count)
  return count.total
}

async function readCount(pool: Pool, query: Where): Promise<number> {
  const { rows } = await pool.query<{ total: number }>(query)
  return rows[0]?.total ?? 0
}
