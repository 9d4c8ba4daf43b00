import type { Prisma } from '../../prisma/client/client.ts'
import type { Db } from './database.ts'

/**
 * Totals and figures up to this number of rows are counted on each call. Larger ones are cached for `cacheMs`: counting
 * 200,000 rows costs more than reading a page of them.
 */
const maxCountedRows = 1_000

const cacheMs = 30_000

/** Maximum number of cached results per database. */
const maxResults = 200

/** The time of a call, and whether it needs fresh data (`Cache-Control: no-cache`). */
export type ReadOptions = { now: Date; needsCurrentData: boolean }

type Cached<Result> = { result: Promise<Result>; until: number }

/**
 * Caches results by key and by the pool or client that reads: a replica has its own. Concurrent calls share one
 * reading, except those that need fresh data.
 */
function createResultCache<Result>() {
  const results = new WeakMap<object, Map<string, Cached<Result>>>()
  const findLive = (database: object, key: string, { now, needsCurrentData }: ReadOptions) => {
    const known = results.get(database)?.get(key)
    return known && !needsCurrentData && known.until > now.getTime() ? known.result : undefined
  }
  return {
    find: findLive,
    async read(database: object, key: string, reading: ReadOptions, read: () => Promise<Result>): Promise<Result> {
      const known = findLive(database, key, reading)
      if (known) return known
      const ofDatabase = results.get(database) ?? new Map<string, Cached<Result>>()
      results.set(database, ofDatabase)
      const cached = { result: read(), until: reading.now.getTime() + cacheMs }
      cached.result.catch(() => {
        if (ofDatabase.get(key) === cached) ofDatabase.delete(key)
      })
      if (ofDatabase.size >= maxResults) ofDatabase.clear()
      ofDatabase.set(key, cached)
      return cached.result
    },
  }
}

const totalsCache = createResultCache<number>()

type Page = { offset: number; limit: number; rows: number }

type CountQuery = {
  /** The pool or client that counts. */
  database: object
  /** Identifies the list and its conditions, without the time of the call. */
  key: string
  /** Counts the matching rows, at most `limit` of them. */
  count: (limit?: number) => Promise<number>
}

/**
 * The number of rows that match, given the page that was read: a page that is not full is the last one. Of more than
 * `countedRows`, the number may be `cacheMs` old.
 */
export async function totalOf(
  { offset, limit, rows }: Page,
  counting: CountQuery,
  reading: ReadOptions,
): Promise<number> {
  const isLastPage = rows < limit && (rows > 0 || offset === 0)
  if (isLastPage) return offset + rows
  const total = await countMatches(counting, reading)
  const contradictsPage = rows === 0 && limit > 0 && total > offset
  if (contradictsPage) return countMatches(counting, { ...reading, needsCurrentData: true })
  // More rows may have been added since a cached total was counted.
  return rows === 0 ? total : Math.max(total, offset + rows)
}

async function countMatches({ database, key, count }: CountQuery, reading: ReadOptions): Promise<number> {
  const known = totalsCache.find(database, key, reading)
  if (known) return known
  const counted = await count(maxCountedRows + 1)
  return counted <= maxCountedRows ? counted : totalsCache.read(database, key, reading, () => count())
}

/** Counts the rows of a `from` clause with its conditions. */
export function counterOf(db: Db, from: Prisma.Sql): CountQuery['count'] {
  return async (limit) => {
    const [row] = await db.$queryRaw<{ total: number }[]>`
      select count(*)::int as total from (select from ${from} limit ${limit ?? null}) matching`
    return row?.total ?? 0
  }
}

/**
 * Figures that are read from all rows of `tables`: current as long as these are small, otherwise at most `cacheMs` old.
 * Their size is PostgreSQL's estimate, because counting the rows would cost as much as the figures.
 */
export function createStatisticsCache<Figures>(tables: readonly Prisma.ModelName[]) {
  const names = tables.map((table) => `"${table}"`)
  const cache = createResultCache<Figures>()
  const key = 'figures'
  return async (db: Db, reading: ReadOptions, read: () => Promise<Figures>): Promise<Figures> => {
    const known = cache.find(db, key, reading)
    if (known) return known
    const [size] = await db.$queryRaw<{ rows: number }[]>`
      select max(reltuples) as rows from pg_class where oid = any (${names}::regclass[])`
    return (size?.rows ?? 0) > maxCountedRows ? cache.read(db, key, reading, read) : read()
  }
}
