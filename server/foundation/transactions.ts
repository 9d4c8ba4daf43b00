import {
  Client,
  DatabaseError,
  type Pool,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg'
import { ConnectionError } from './database-errors.ts'
import { type Database, limitedByTransaction, type Db, type Tx } from './database.ts'
import { usesTransactionPooling, transactionTimeouts } from './pool.ts'
import { NoServerError } from './postgres-servers.ts'
import type { NamedStatement } from './statement.ts'

const commitHooks = new WeakMap<object, (() => void)[]>()

/** Thrown to undo the work of a transaction. */
class Rollback extends Error {}

/** Makes a client of Prisma's transactions a `Tx`. */
function register(tx: Db, hooks: (() => void)[]): asserts tx is Tx {
  commitHooks.set(tx, hooks)
}

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
    register(tx, hooks)
    if (limitedByTransaction.has(db)) await tx.$queryRawUnsafe(transactionTimeouts)
    return work(tx)
  }, options)
  for (const hook of hooks) hook()
  return result
}

/**
 * Does the work of a transaction without its effect, so that the time of a response does not tell whether it had one
 * (SEC-120).
 */
export async function runAndRollBack(
  deps: { db: Database['prisma'] },
  work: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const undone = transaction(deps, async (tx) => {
    await work(tx)
    throw new Rollback()
  })
  await undone.catch((error: unknown) => {
    if (!(error instanceof Rollback)) throw error
  })
}

/** Runs the hook after the transaction has committed, or immediately outside a transaction. */
export function onCommit(db: Db, hook: () => void): void {
  const hooks = commitHooks.get(db)
  if (hooks) hooks.push(hook)
  else hook()
}

/** A connection inside a pg transaction (see `pgTransaction`). */
export type PgTransaction = {
  query: <Row extends QueryResultRow>(
    statement: string | QueryConfig<unknown[]>,
    values?: unknown[],
  ) => Promise<QueryResult<Row>>
  /** Runs the last statement of the transaction. The commit is sent together with it. */
  queryLast: <Row extends object>(statement: NamedStatement) => Promise<{ rows: Row[] }>
  /** Runs a statement whose result is not needed, after all others and together with the commit. */
  queryAtCommit: (statement: NamedStatement) => void
  /** Ends the transaction with a rollback instead of the commit. Its result is returned nevertheless. */
  discard: () => void
}

/** Runs named statements: the pool, a connection of a pg transaction, or a Prisma transaction (see `statementsOf`). */
export type Statements = { query: <Row extends object>(statement: NamedStatement) => Promise<{ rows: Row[] }> }

/** `Statements` inside a transaction. */
export type TransactionStatements = Statements & Pick<PgTransaction, 'queryLast'>

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
export async function pgTransaction<Result>(
  pool: Pool,
  work: (sql: PgTransaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    throw error instanceof NoServerError ? error : new ConnectionError(error)
  })
  let isBroken = false
  // A connection lost between two statements emits `error`, and the pool does not listen while it is checked out.
  const onCut = () => void (isBroken = true)
  client.on('error', onCut)
  let commit: Promise<QueryResult> | undefined
  let isDiscarded = false
  const atCommit: NamedStatement[] = []
  let firstFailure: unknown
  const send: PgTransaction['query'] = (statement, values) => {
    sendWritesTogether(client)
    const answer = client.query<never>(statement, values)
    answer.catch((error: unknown) => (firstFailure ??= error))
    return answer
  }
  const sql: PgTransaction = {
    query: send,
    queryLast: (statement) => {
      if (commit || isDiscarded || atCommit.length > 0)
        throw new Error('The transaction is already being committed or rolled back')
      const answer = send<never>(statement)
      commit = send('commit')
      return answer
    },
    queryAtCommit(statement) {
      if (commit) throw new Error('The commit was already sent')
      atCommit.push(statement)
    },
    discard() {
      if (commit) throw new Error('The commit was already sent')
      isDiscarded = true
    },
  }
  try {
    const begun = [send('begin'), ...(usesTransactionPooling(pool) ? [send(transactionTimeouts)] : [])]
    const result = await work(sql)
    if (isDiscarded) {
      await Promise.all([...begun, send('rollback')])
      return result
    }
    const last = atCommit.map((statement) => send(statement))
    commit ??= send('commit')
    await Promise.all([...begun, ...last])
    const { command } = await commit
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
function sendWritesTogether(client: PoolClient): void {
  if (!(client instanceof Client)) return
  const { stream } = client.connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}
