import { callbackify } from 'node:util'
import { Client, type ClientConfig, Pool, type PoolClient, type QueryConfig } from 'pg'
import { isReadOnlyText, openServers, type Servers } from './postgres-servers.ts'
import { parsePostgresUrl } from './postgres-url.ts'

/** Timeouts of statements, less than 10 s in total, so that they expire before a client gives up (REL-08). */
export const limits = { connectMs: 3_000, statementMs: 4_000, lockMs: 3_000, idleMs: 10_000, transactionMs: 5_000 }

export type PoolOptions = {
  connections?: number
  onError: (error: Error) => void
  /** How long to wait for a connection, in milliseconds. */
  waitMs?: number
  /** Statements may take as long as they need: migrations and jobs. */
  isUnlimited?: true
  /** How long an answer may take before the host counts as gone, in milliseconds; 0 for ever. */
  answerMs?: number
  /** Shorter than others wait: reads that have somewhere else to go. */
  statementMs?: number
  name?: string
}

/** Pools whose connections change with each transaction, because PgBouncer is in front of them. */
const pooled = new WeakSet<Pool>()

/** Whether each transaction of a pool may be on another connection, which keeps no settings and no prepared statements. */
export function isPooled(pool: Pool): boolean {
  return pooled.has(pool)
}

/**
 * A pool for a connection URL. The session's settings are made by a statement after connecting and not by startup parameters, which
 * PgBouncer refuses. Behind PgBouncer in transaction mode statements have no names, and limits are set in each transaction
 * (`transactionLimits`), because nothing else lasts.
 */
export function openPool(
  url: string,
  {
    connections = 10,
    onError,
    waitMs = limits.connectMs,
    isUnlimited,
    statementMs = limits.statementMs,
    answerMs = isUnlimited ? 0 : statementMs + 1_000,
    name,
  }: PoolOptions,
): Pool {
  const parsed = parsePostgresUrl(url)
  if (!parsed) throw new Error('The connection URL of PostgreSQL is not valid')
  const servers = openServers(parsed)
  // The role may have limits of its own, which migrations and jobs cannot keep.
  const own = isUnlimited ? noLimits : { ...limits, statementMs }
  const settings = parsed.isPooled ? [] : settingsOf(own, false)
  const text = `select ${[...settings, "set_config('TimeZone', 'UTC', false)"].join(', ')}, ${isReadOnlyText} as "isReadOnly"`
  const pool = new Pool({
    ...parsed.config,
    Client: clientOf(servers, parsed.isPooled),
    max: connections,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // Statements do not wait for the answers of those before them (see `inTransaction`).
    pipeline: true,
    // By default a connection that is only listened to would notice after two hours that the host is gone.
    keepAliveInitialDelayMillis: 10_000,
    // If the host is gone, no response ever arrives: this client-side timeout ends the wait.
    ...(answerMs > 0 && { query_timeout: answerMs }),
    // A server that is no longer the primary, and has not ended its connections, is left within a minute.
    ...(servers.isChosen && { maxLifetimeSeconds: 60 }),
    application_name: name ?? 'foyer',
    async onConnect(client) {
      const { rows } = await client.query<{ isReadOnly: boolean }>(text)
      if (servers.isChosen && !servers.fits(rows[0]?.isReadOnly ?? true)) {
        if (client instanceof Client) servers.forget({ host: client.host, port: client.port })
        throw new Error("Can't reach database: the server has changed its role")
      }
    },
  })
  if (parsed.isPooled) pooled.add(pool)
  pool.on('error', onError)
  return pool
}

/** The limits of one transaction as a statement, for connections that keep no settings. */
export const transactionLimits = `select ${settingsOf(limits, true).join(', ')}`

const noLimits = { statementMs: 0, lockMs: 0, idleMs: 0 }

function settingsOf({ statementMs, lockMs, idleMs }: typeof noLimits, isLocal: boolean): string[] {
  const values = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
  }
  return Object.entries(values).map(([name, ms]) => `set_config('${name}', '${ms}', ${isLocal})`)
}

type Callback = (error?: Error | null) => void

/** Connections that go to the server that fits now, and drop the names of statements where those would not last. */
function clientOf(servers: Servers, isPooled: boolean) {
  return class extends Client {
    constructor(config?: ClientConfig) {
      super(config)
      if (isPooled) dropNames(this)
    }

    override connect(): Promise<this>
    override connect(callback: Callback): void
    override connect(callback?: Callback): Promise<this> | void {
      if (!callback) return this.reach()
      callbackify(() => this.reach())(callback)
    }

    private async reach(): Promise<this> {
      const place = await servers.locate()
      Object.assign(this, place)
      try {
        await super.connect()
        return this
      } catch (error) {
        servers.forget(place)
        throw error
      }
    }
  }
}

/** Statements without names are planned each time, on whatever connection they come to. */
function dropNames(client: Pick<PoolClient, 'query'>): void {
  const query = client.query.bind(client) as (...input: unknown[]) => unknown
  const unnamed = (first: unknown, ...others: unknown[]) => {
    const isNamed = typeof first === 'object' && first !== null && 'name' in first && !('submit' in first)
    if (!isNamed) return query(first, ...others)
    const { name: _name, ...rest } = first as QueryConfig
    return query(rest, ...others)
  }
  Object.assign(client, { query: unnamed })
}
