import { callbackify } from 'node:util'
import { Client, type ClientConfig, Pool, type PoolClient, type QueryConfig } from 'pg'
import {
  type LocatedServer,
  isReadOnlySql,
  NoServerError,
  createServerSelector,
  type ServerSelector,
} from './postgres-servers.ts'
import { parsePostgresUrl } from './postgres-url.ts'

/**
 * Timeouts in milliseconds. Those of a connection and of one statement, which includes its wait for locks, add up to
 * less than 10 s, so that they expire before a client gives up (REL-08).
 */
export const timeouts = { connectMs: 3_000, statementMs: 4_000, lockMs: 3_000, idleMs: 10_000, transactionMs: 5_000 }

export type PoolOptions = {
  connections?: number
  onError: (error: Error) => void
  /** How long to wait for a connection, in milliseconds. */
  waitMs?: number
  /** Without timeouts of statements, locks, idle transactions and responses, for migrations and jobs. */
  isWithoutTimeouts?: true
  /** How long an answer may take before the host counts as unreachable, in milliseconds. 0 means no limit. */
  responseTimeoutMs?: number
  /** A shorter statement timeout, for reads that can fall back to another server. */
  statementMs?: number
  name?: string
}

/** Pools behind PgBouncer, whose server connection changes with each transaction. */
const pooled = new WeakSet<Pool>()

/**
 * Whether each transaction of a pool may use another connection, which keeps no settings and no prepared statements.
 */
export function usesTransactionPooling(pool: Pool): boolean {
  return pooled.has(pool)
}

/**
 * A pool for a connection URL. Session settings are made by a statement after connecting, because PgBouncer refuses
 * startup parameters. Behind PgBouncer in transaction mode, statements have no names and each transaction sets its
 * timeouts (`transactionTimeouts`), because settings and prepared statements do not last beyond a transaction.
 */
export function createPool(
  url: string,
  {
    connections = 10,
    onError,
    waitMs = timeouts.connectMs,
    isWithoutTimeouts,
    statementMs = timeouts.statementMs,
    responseTimeoutMs = isWithoutTimeouts ? 0 : statementMs + 1_000,
    name,
  }: PoolOptions,
): Pool {
  const parsed = parsePostgresUrl(url)
  if (!parsed) throw new Error('The connection URL of PostgreSQL is not valid')
  const servers = createServerSelector(parsed)
  // The role may have timeouts of its own, which are too short for migrations and jobs.
  const own = isWithoutTimeouts ? noTimeouts : { ...timeouts, statementMs }
  const settings = parsed.isPooled ? [] : settingsOf(own, false)
  const text = `select ${[...settings, "set_config('TimeZone', 'UTC', false)"].join(', ')}, ${isReadOnlySql} as "isReadOnly"`
  const pool = new Pool({
    ...parsed.config,
    Client: clientOf(servers, parsed.isPooled),
    max: connections,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // Statements are sent without waiting for the answers of earlier ones (see `pgTransaction`).
    pipeline: true,
    // By default, a connection that only listens would take two hours to notice that the host is unreachable.
    keepAliveInitialDelayMillis: 10_000,
    // If the host is unreachable, no response ever arrives: this client-side timeout ends the wait.
    ...(responseTimeoutMs > 0 && { query_timeout: responseTimeoutMs }),
    // Connections to a former primary that has not closed them are replaced within a minute.
    ...(servers.needsSelection && { maxLifetimeSeconds: 60 }),
    application_name: name ?? 'foyer',
    async onConnect(client) {
      const { rows } = await client.query<{ isReadOnly: boolean }>(text)
      if (servers.needsSelection && !servers.isSuitable(rows[0]?.isReadOnly ?? true)) {
        if (client instanceof Client) servers.invalidate({ host: client.host, port: client.port })
        throw new Error("Can't reach database: the server has changed its role")
      }
    },
  })
  if (parsed.isPooled) pooled.add(pool)
  pool.on('error', onError)
  return pool
}

/** The timeouts of one transaction as a statement, for connections that keep no settings. */
export const transactionTimeouts = `select ${settingsOf(timeouts, true).join(', ')}`

const noTimeouts = { statementMs: 0, lockMs: 0, idleMs: 0 }

function settingsOf({ statementMs, lockMs, idleMs }: typeof noTimeouts, isLocal: boolean): string[] {
  const values = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
  }
  return Object.entries(values).map(([name, ms]) => `set_config('${name}', '${ms}', ${isLocal})`)
}

type Callback = (error?: Error | null) => void

const newPrimaryError = () => new NoServerError('another server has become the primary')

/**
 * A client class that connects to the currently suitable server, and removes statement names where they would not last.
 */
function clientOf(servers: ServerSelector, isPooled: boolean) {
  return class extends Client {
    constructor(config?: ClientConfig) {
      super(config)
      // The pool listens only once it has the client. Until then, an error would end the process.
      this.on('error', () => {})
      if (isPooled) stripStatementNames(this)
    }

    override connect(): Promise<this>
    override connect(callback: Callback): void
    override connect(callback?: Callback): Promise<this> | void {
      if (!callback) return this.connectToServer()
      callbackify(() => this.connectToServer())(callback)
    }

    private async connectToServer(): Promise<this> {
      const located = await servers.locate()
      Object.assign(this, located.address)
      const found = await this.connectTo(located).catch((error: unknown) => {
        servers.invalidate(located.address)
        throw error
      })
      // What is under way on a former primary fails, instead of being acknowledged and lost.
      const endIfFormer = () => servers.isFormerPrimary(found) && this.connection.stream.destroy(newPrimaryError())
      this.once(
        'end',
        servers.onPromotion(() => void endIfFormer()),
      )
      return this
    }

    private async connectTo(located: LocatedServer): Promise<LocatedServer> {
      await super.connect()
      try {
        const found = await servers.identify(this, located)
        if (servers.isFormerPrimary(found)) throw newPrimaryError()
        return found
      } catch (error) {
        await this.end().catch(() => {})
        throw error
      }
    }
  }
}

/** Statements without a name are planned each time, on any connection. */
function stripStatementNames(client: Pick<PoolClient, 'query'>): void {
  const query = client.query.bind(client) as (...input: unknown[]) => unknown
  const unnamed = (first: unknown, ...others: unknown[]) => {
    const isNamed = typeof first === 'object' && first !== null && 'name' in first && !('submit' in first)
    if (!isNamed) return query(first, ...others)
    const { name: _name, ...rest } = first as QueryConfig
    return query(rest, ...others)
  }
  Object.assign(client, { query: unnamed })
}
