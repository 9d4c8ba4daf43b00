import type { Prisma } from '../../prisma/client/client.ts'
import type { Tx } from './database.ts'

/**
 * Up to this number, matching rows are counted on each call. Larger totals are cached for `cacheMs`: counting 200,000 rows
 * costs more than reading a page of them.
 */
export const countedRows = 1_000

const cacheMs = 30_000

/** Maximum number of cached results per database. */
const maxResults = 200

/** Caches results by database, that is by the pool or client that reads, and by key. */
function openResultCache<Result>() {
  const results = new WeakMap<object, Map<string, { result: Promise<Result>; until: number }>>()
  return {
    /** The cached result, or undefined if there is none or it is too old. */
    find(database: object, { key, now }: { key: string; now: Date }): Promise<Result> | undefined {
      const known = results.get(database)?.get(key)
      return known && known.until > now.getTime() ? known.result : undefined
    },
    /** Reads a result, which is cached from now on, also for calls that come before it is there. */
    async read(database: object, { key, now, read }: { key: string; now: Date; read: () => Promise<Result> }) {
      const ofDatabase = results.get(database) ?? new Map<string, { result: Promise<Result>; until: number }>()
      results.set(database, ofDatabase)
      const result = read()
      result.catch(() => ofDatabase.delete(key))
      if (ofDatabase.size >= maxResults) ofDatabase.clear()
      ofDatabase.set(key, { result, until: now.getTime() + cacheMs })
      return result
    },
  }
}

const largeTotals = openResultCache<number>()

type Page = { offset: number; limit: number; rows: number }

export type Counting = {
  /** The pool or client that counts. */
  database: object
  /** Identifies the list and its conditions, without the time of the call. */
  key: string
  now: Date
  /** Counts the matching rows, at most `limit` of them. */
  count: (limit?: number) => Promise<number>
}

/** The number of rows that match. The page that was read tells it, if it is the last one. */
export async function totalOf({ offset, limit, rows }: Page, counting: Counting): Promise<number> {
  const isLastPage = rows < limit && (rows > 0 || offset === 0)
  return isLastPage ? offset + rows : countMatches(counting)
}

/** The number of rows that match: exact up to `countedRows`, otherwise at most `cacheMs` old. */
export async function countMatches({ database, key, now, count }: Counting): Promise<number> {
  const known = largeTotals.find(database, { key, now })
  if (known) return known
  const counted = await count(countedRows + 1)
  return counted <= countedRows ? counted : largeTotals.read(database, { key, now, read: () => count() })
}

/**
 * Figures that are read from all rows of `tables`: current as long as these are small, otherwise at most `cacheMs` old. Their
 * size is PostgreSQL's estimate, because counting the rows would cost as much as the figures.
 */
export function openFigures<Figures>(tables: readonly Prisma.ModelName[]) {
  const names = tables.map((table) => `"${table}"`)
  const cache = openResultCache<Figures>()
  const key = 'figures'
  return async (tx: Tx, { now, read }: { now: Date; read: () => Promise<Figures> }): Promise<Figures> => {
    const known = cache.find(tx, { key, now })
    if (known) return known
    const [size] = await tx.$queryRaw<{ rows: number }[]>`
      select max(reltuples) as rows from pg_class where oid = any (${names}::regclass[])`
    return (size?.rows ?? 0) > countedRows ? cache.read(tx, { key, now, read }) : read()
  }
}

/** Counts the rows of a `from` clause with its conditions. */
export function counterOf(tx: Tx, from: Prisma.Sql): Counting['count'] {
  return async (limit) => {
    const [row] = await tx.$queryRaw<{ total: number }[]>`
      select count(*)::int as total from (select from ${from} limit ${limit ?? null}) matching`
    return row?.total ?? 0
  }
}

/** Rows to skip and to read in an order, or in the opposite order if the page is nearer to its end. */
export function fromNearerEnd({ offset, limit, total }: { offset: number; limit: number; total: number }) {
  const rows = Math.max(0, Math.min(limit, total - offset))
  const after = Math.max(0, total - offset - rows)
  return offset > total / 2 ? { offset: after, limit: rows, isOpposite: true } : { offset, limit, isOpposite: false }
}
