import { PrismaPg } from '@prisma/adapter-pg'
import { DatabaseError, Pool, type PoolClient } from 'pg'
import { Prisma, PrismaClient } from '../../prisma/client/client.ts'
import { sha256 } from './crypto.ts'

/** Waits that end before a caller gives up: together below 10 s (REL-08). */
const limits = { connectMs: 3_000, statementMs: 4_000, lockMs: 3_000, transactionMs: 5_000 }

/** Prepared statements kept by name on each connection; Prisma makes far fewer, and hostile input makes none. */
const statementNames = 500

export type Database = ReturnType<typeof openDatabase>
/** Prisma inside a transaction, or outside of one. */
export type Tx = Prisma.TransactionClient

/** One pg pool, and Prisma on it: the session of a request is read on the pool itself (speed, not style). */
export function openDatabase(url: string, options: { connections?: number; onError: (error: Error) => void }) {
  const pool = new Pool({
    connectionString: inUtc(url),
    max: options.connections ?? 10,
    connectionTimeoutMillis: limits.connectMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: 10_000,
    // The answer may never come when the host is gone: the client stops waiting by itself.
    query_timeout: limits.statementMs + 1_000,
    application_name: 'foyer',
  })
  pool.on('error', options.onError)
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: nameStatement() }),
    transactionOptions: { maxWait: limits.connectMs, timeout: limits.transactionMs },
    errorFormat: 'minimal',
  })
  return {
    pool,
    prisma,
    async close() {
      await prisma.$disconnect()
      await pool.end()
    },
  }
}

/**
 * The address of a database whose sessions run in UTC, whatever the database's own zone is: Prisma's adapter writes times
 * without a zone, and PostgreSQL would read them in its own.
 */
export function inUtc(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  const options = url.searchParams.get('options')
  url.searchParams.set('options', [options, '-c timezone=UTC'].filter((option) => option !== null).join(' '))
  return url.href
}

const commitHooks = new WeakMap<object, (() => void)[]>()

/** A transaction of Prisma's. What `onCommit` was given inside of it runs once it has committed, and never otherwise. */
export async function transaction<Result>(
  { db }: { db: Database['prisma'] },
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const hooks: (() => void)[] = []
  const result = await db.$transaction(async (tx) => {
    // The transaction may be tried again.
    hooks.length = 0
    commitHooks.set(tx, hooks)
    return work(tx)
  })
  for (const hook of hooks) hook()
  return result
}

/** Runs when the transaction has committed; at once outside of one. */
export function onCommit(tx: Tx, hook: () => void): void {
  const hooks = commitHooks.get(tx)
  if (hooks) hooks.push(hook)
  else hook()
}

/** Statements on one connection, inside a transaction of the pool's own. */
export type Sql = Pick<PoolClient, 'query'>

/**
 * A transaction of prepared statements without Prisma, for what comes in bursts: its interactive transaction costs 0.25 ms of
 * CPU a statement more (measured on payment events: 3.5 ms of CPU with ten statements).
 */
export async function inTransaction<Result>(pool: Pool, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  let isBroken = false
  // A connection that is cut between two statements tells of it by an event, which nothing else listens to while it is in use.
  const onCut = () => void (isBroken = true)
  client.on('error', onCut)
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => (isBroken = true))
    throw error
  } finally {
    client.off('error', onCut)
    client.release(isBroken)
  }
}

/** Names for Prisma's statements, so that PostgreSQL plans each once (measured: half of its share for a read). */
function nameStatement() {
  const names = new Map<string, string>()
  return ({ sql }: { sql: string }) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= statementNames) return known ?? ''
    const name = `p${sha256(sql).slice(0, 20)}`
    names.set(sql, name)
    return name
  }
}

/**
 * SQLSTATE classes and codes that mean "not now", whatever was asked: connection (3D000), resources,
 * locks and lost races (40P01, 55P03), intervention, input and output, read-only.
 */
const unavailable = /^(08|28|3D000|40001|40P01|53|55000|55P03|57|58|25006)/
const unreachable = /ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOENT/
/** Texts of pg and Prisma for waits that ended and connections that broke; neither gives them a code. */
const gaveUp =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Unable to start a transaction|Transaction already closed|Client has encountered a connection error|not queryable|Cannot use a pool after calling end|Server has closed the connection|Can't reach database/i
/** Prisma's codes: P1001 unreachable, P1002 and P1008 timed out, P1017 closed, P2024 pool, P2028 transaction. */
const prismaUnavailable = /^P(1001|1002|1008|1011|1017|2024|2028|2037)$/

/** Is the database away, hanging or read-only, so that the answer is 503 and not 500 (REL-03, REL-08, REL-09)? */
export function isUnavailable(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++) {
    const code = sqlState(at) ?? ('code' in at ? String(at.code) : '')
    if (unavailable.test(code) || unreachable.test(code) || prismaUnavailable.test(code) || gaveUp.test(at.message)) {
      return true
    }
  }
  return false
}

/** No list answers more rows than these; a caller pages on from the last one (SEC-124). */
export const maxRows = 1_000

/** A part of a text as it was typed: for Prisma's `contains`, which takes % and _ as LIKE does. */
export function containing(typed: string) {
  return { contains: typed.trim().replace(/[\\%_]/g, String.raw`\$&`), mode: 'insensitive' as const }
}

/** Rows behind this one in the order of their making: keyset paging, which no change of the row itself disturbs. */
export function afterCursor({ createdAt, id }: { createdAt: Date; id: string }) {
  return { OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }] }
}

/** The unique index that a write ran into, by its columns or name; undefined for every other failure. */
export function violatedUnique(error: unknown): string | undefined {
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return JSON.stringify(error.meta)
  if (error instanceof DatabaseError && error.code === '23505') return error.constraint
  // A statement of our own inside a transaction of Prisma's.
  if (error instanceof Prisma.PrismaClientKnownRequestError && sqlState(error) === '23505')
    return JSON.stringify(error.meta)
  return undefined
}

/**
 * Was something deleted at the same time that a write needs: the row itself (P2025), or the one it belongs to (P2003)?
 * Only a race leads here, because what is named in a call is looked up first.
 */
export function isMissingReference(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientKnownRequestError) return error.code === 'P2025' || error.code === 'P2003'
  return error instanceof DatabaseError && error.code === '23503'
}

/** SQLSTATE of an error of pg, or of one that Prisma's adapter wrapped. */
function sqlState(error: Error): string | undefined {
  if (error instanceof DatabaseError) return error.code
  const meta = 'meta' in error ? JSON.stringify(error.meta) : ''
  return /"(?:originalCode|code)":"(\w{5})"/.exec(meta)?.[1]
}
