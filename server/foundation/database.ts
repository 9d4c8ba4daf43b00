import { PrismaPg } from '@prisma/adapter-pg'
import {
  Client,
  DatabaseError,
  type Pool,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg'
import { Prisma, PrismaClient } from '../../prisma/client/client.ts'
import { sha256 } from './crypto.ts'
import { isPooled, limits, openPool, type PoolOptions, transactionLimits } from './pool.ts'
import type { NamedStatement } from './statement.ts'

/** Maximum number of named prepared statements per connection. Prisma creates far fewer, and input cannot add any. */
const statementNames = 500

export type Database = ReturnType<typeof openDatabase>
/** A Prisma client, inside or outside a transaction. */
export type Tx = Prisma.TransactionClient

/** One pg pool and a Prisma client on top of it. Sessions are read directly from the pool, for performance. */
export function openDatabase(url: string, options: PoolOptions) {
  const pool = openPool(url, options)
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, isPooled(pool) ? {} : { statementNameGenerator: nameStatement() }),
    transactionOptions: { maxWait: limits.connectMs, timeout: limits.transactionMs },
    errorFormat: 'minimal',
  })
  if (isPooled(pool)) limitedByTransaction.add(prisma)
  return {
    pool,
    prisma,
    async close() {
      await prisma.$disconnect()
      await pool.end()
    },
  }
}

/** Clients whose connections cannot keep session settings: each transaction sets its own limits. */
const limitedByTransaction = new WeakSet<object>()

const commitHooks = new WeakMap<object, (() => void)[]>()

/** Runs a Prisma transaction. Callbacks registered with `onCommit` run only after it has committed. */
export async function transaction<Result>(
  { db }: { db: Database['prisma'] },
  work: (tx: Tx) => Promise<Result>,
  /**
   * `timeout` in milliseconds, for work that may take longer than a request. `RepeatableRead` reads from one snapshot.
   */
  options: { timeout?: number; isolationLevel?: 'RepeatableRead' } = {},
): Promise<Result> {
  const hooks: (() => void)[] = []
  const result = await db.$transaction(async (tx) => {
    // Prisma may retry the transaction.
    hooks.length = 0
    commitHooks.set(tx, hooks)
    if (limitedByTransaction.has(db)) await tx.$queryRawUnsafe(transactionLimits)
    return work(tx)
  }, options)
  for (const hook of hooks) hook()
  return result
}

/** Runs the hook after the transaction has committed, or immediately outside a transaction. */
export function onCommit(tx: Tx, hook: () => void): void {
  const hooks = commitHooks.get(tx)
  if (hooks) hooks.push(hook)
  else hook()
}

/** A connection inside a pg transaction (see `inTransaction`). */
export type Sql = {
  query: <Row extends QueryResultRow>(
    statement: string | QueryConfig<unknown[]>,
    values?: unknown[],
  ) => Promise<QueryResult<Row>>
  /** Runs the last statement of the transaction. The commit is sent together with it. */
  queryLast: <Row extends object>(statement: NamedStatement) => Promise<{ rows: Row[] }>
}

/** Runs named statements: the pool, a connection of a pg transaction, or a Prisma transaction (see `statementsOf`). */
export type Statements = { query: <Row extends object>(statement: NamedStatement) => Promise<{ rows: Row[] }> }

/** `Statements` inside a transaction. */
export type TransactionStatements = Statements & Pick<Sql, 'queryLast'>

/**
 * Runs named statements one after the other inside a Prisma transaction, for code that serves both kinds of
 * transaction.
 */
export function statementsOf(tx: Tx): TransactionStatements {
  let previous: Promise<unknown> = Promise.resolve()
  const query = async <Row>({ text, values }: NamedStatement) => {
    const rows = previous.then(() => tx.$queryRawUnsafe<Row[]>(text, ...values))
    previous = rows.catch(() => {})
    return { rows: await rows }
  }
  return { query, queryLast: query }
}

/**
 * Runs a transaction of prepared statements without Prisma, for bursts of calls. Prisma's interactive transactions cost
 * 0.25 ms more CPU per statement (measured on payment events: 3.5 ms of CPU with ten statements).
 *
 * Statements that are started together (by `Promise.all`, in order) are sent in one write: `begin` with the first ones,
 * the commit with `queryLast`. A write that wakes the database costs as much CPU as the rest of a statement.
 */
export async function inTransaction<Result>(pool: Pool, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  let isBroken = false
  // A connection lost between two statements emits `error`, and the pool does not listen while it is checked out.
  const onCut = () => void (isBroken = true)
  client.on('error', onCut)
  let commit: Promise<QueryResult> | undefined
  let firstFailure: unknown
  const send: Sql['query'] = (statement, values) => {
    joinWrites(client)
    const answer = client.query<never>(statement, values)
    answer.catch((error: unknown) => (firstFailure ??= error))
    return answer
  }
  const sql: Sql = {
    query: send,
    queryLast: (statement) => {
      const answer = send<never>(statement)
      commit = send('commit')
      return answer
    },
  }
  try {
    const begun = [send('begin'), ...(isPooled(pool) ? [send(transactionLimits)] : [])]
    const result = await work(sql)
    await Promise.all(begun)
    const { command } = await (commit ?? send('commit'))
    // If an earlier statement failed, PostgreSQL answers COMMIT with ROLLBACK, which is not reported as an error.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => (isBroken = true))
    // Statements sent together with a failed one report only that the transaction is aborted.
    throw error instanceof DatabaseError && error.code === abortedTransaction ? firstFailure : error
  } finally {
    client.off('error', onCut)
    client.release(isBroken)
  }
}

/** SQLSTATE of statements after one that failed. */
const abortedTransaction = '25P02'

/** Buffers writes until the current turn of the event loop ends. */
function joinWrites(client: PoolClient): void {
  if (!(client instanceof Client)) return
  const { stream } = client.connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Names Prisma's statements, so that PostgreSQL plans each only once (measured: halves its share of a read). */
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
 * SQLSTATE classes and codes for temporary failures, whatever the statement: connection (3D000), resources,
 * locks and serialization conflicts (40P01, 55P03), operator intervention, I/O, read-only.
 */
const unavailable = /^(08|28|3D000|40001|40P01|53|55000|55P03|57|58|25006)/
const unreachable = /ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOENT/
/** Messages of pg and Prisma for timeouts and lost connections, which have no error code. */
const gaveUp =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Unable to start a transaction|Transaction already closed|Client has encountered a connection error|not queryable|Cannot use a pool after calling end|Server has closed the connection|Can't reach database/i
/** Prisma error codes: P1001 unreachable, P1002 and P1008 timeout, P1017 closed, P2024 pool, P2028 transaction. */
const prismaUnavailable = /^P(1001|1002|1008|1011|1017|2024|2028|2037)$/

/** Whether the database is unreachable, hanging or read-only: the response is then 503, not 500 (REL-03, REL-08, REL-09). */
export function isUnavailable(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++) {
    const code = sqlState(at) ?? ('code' in at ? String(at.code) : '')
    if (unavailable.test(code) || unreachable.test(code) || prismaUnavailable.test(code) || gaveUp.test(at.message)) {
      return true
    }
  }
  return false
}

/** Maximum number of rows in any list. Clients page from the last row (SEC-124). */
export const maxRows = 1_000

/** A filter for Prisma's `contains`, with % and _ escaped because Prisma passes them to LIKE. */
export function containing(typed: string) {
  return { contains: typed.trim().replace(/[\\%_]/g, String.raw`\$&`), mode: 'insensitive' as const }
}

/** Keyset pagination by creation order, unaffected by later changes to the row. */
export function afterCursor({ createdAt, id }: { createdAt: Date; id: string }) {
  return { OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }] }
}

/** The columns or name of the unique index that a write violated. Undefined for every other error. */
export function violatedUnique(error: unknown): string | undefined {
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return JSON.stringify(error.meta)
  if (error instanceof DatabaseError && error.code === '23505') return error.constraint
  // A raw SQL statement inside a Prisma transaction.
  if (error instanceof Prisma.PrismaClientKnownRequestError && sqlState(error) === '23505')
    return JSON.stringify(error.meta)
  return undefined
}

/**
 * Whether a write failed because a row was deleted concurrently: the row itself (P2025) or its parent (P2003).
 * This happens only in a race, because every referenced row is looked up first.
 */
export function isMissingReference(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientKnownRequestError) return error.code === 'P2025' || error.code === 'P2003'
  return error instanceof DatabaseError && error.code === '23503'
}

/** The SQLSTATE of a pg error, or of one wrapped by Prisma's adapter. */
function sqlState(error: Error): string | undefined {
  if (error instanceof DatabaseError) return error.code
  const meta = 'meta' in error ? JSON.stringify(error.meta) : ''
  return /"(?:originalCode|code)":"(\w{5})"/.exec(meta)?.[1]
}
