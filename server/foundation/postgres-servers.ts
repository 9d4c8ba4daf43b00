import { setTimeout as wait } from 'node:timers/promises'
import { Client, type ClientConfig, DatabaseError } from 'pg'
import type { PostgresHost, PostgresUrl, Target } from './postgres-url.ts'

/** How long one server may take to report its role, in milliseconds. */
const probeMs = 1_500
/** How long the other servers may take to report, once one is suitable, in milliseconds. */
const othersMs = 300
/** How often all servers are asked while connections to one are open, in milliseconds. */
const recheckMs = 10_000

/** There is no server that a call can use now. This counts as an outage: calls are answered with 503. */
export class NoServerError extends Error {
  readonly code = 'ECONNREFUSED'
}

/** A server, and its timeline: that of the server that was promoted last is the highest. 0 if it is not known. */
export type LocatedServer = { address: PostgresHost; timeline: number }

/** Chooses the server to connect to, among those in a URL. */
export type ServerSelector = {
  /** Finds a suitable server. The result is reused until `invalidate`. */
  locate: () => Promise<LocatedServer>
  /** Makes the next connection search again, because this server is unreachable or has changed its role. */
  invalidate: (address: PostgresHost) => void
  /** Whether a session on a server of this kind is suitable. */
  isSuitable: (isReadOnly: boolean) => boolean
  /** Whether there are several servers or a required role to check. */
  needsSelection: boolean
  /** Whether a server was promoted after this one: what is written to this one would be lost. */
  isFormerPrimary: (found: LocatedServer) => boolean
  /** Calls back when a later promotion is noticed, while a connection is open. Returns how to stop that. */
  onPromotion: (listener: () => void) => () => void
  /**
   * The server that a new session is really on, and its timeline: the name of a host may lead to several, of which one
   * was reported to be suitable.
   */
  identify: (client: Client, found: LocatedServer) => Promise<LocatedServer>
}

/**
 * The highest timeline seen on the servers of one URL, for all pools of this process: a pool that has not noticed a
 * promotion itself must not write to the former primary.
 */
type Promotions = { newest: number; isSearched: boolean; listeners: Set<() => void>; timer?: NodeJS.Timeout }

const promotionsOf = new Map<string, Promotions>()

function promotionsAmong(hosts: readonly PostgresHost[]): Promotions {
  const key = hosts
    .map(({ host, port }) => `${host}:${port}`)
    .toSorted()
    .join(',')
  const known = promotionsOf.get(key) ?? { newest: 0, isSearched: false, listeners: new Set() }
  promotionsOf.set(key, known)
  return known
}

export function createServerSelector({ hosts, target, config }: PostgresUrl): ServerSelector {
  const needsSelection = hosts.length > 1 || target !== 'any'
  const needsPrimary = target === 'primary' || target === 'read-write'
  // A single server has no former primary beside it.
  const promotions = needsPrimary && hosts.length > 1 ? promotionsAmong(hosts) : undefined
  let known: LocatedServer | undefined
  let search: Promise<LocatedServer> | undefined

  // One whose timeline is not known is not known to be a former primary either.
  const isFormerPrimary = ({ timeline }: LocatedServer) =>
    promotions !== undefined && timeline > 0 && timeline < promotions.newest

  /** Every server knows of a promotion: the new primary, and a standby that follows it. */
  function observeTimeline(timeline: number): void {
    if (!promotions || timeline <= promotions.newest) return
    promotions.newest = timeline
    for (const listener of promotions.listeners) listener()
  }

  /** Asks all servers at once. `found` is filled with the suitable ones, as they answer. */
  function probeAll() {
    const found: LocatedServer[] = []
    const probes = hosts.map(async (address) => {
      const probed = await probe(config, address)
      observeTimeline(probed.timeline)
      return { address, ...probed }
    })
    const suitable = probes.map(async (probed) => {
      const { isReadOnly, ...server } = await probed
      if (!isSuitableFor(target, isReadOnly)) throw new NoServerError('not suitable')
      found.push(server)
      return server
    })
    return { found, probes, suitable }
  }

  async function find(): Promise<LocatedServer> {
    // A process that has just started knows of no promotion, which only one of the servers may report.
    const isFirst = promotions?.isSearched === false
    const { found, probes, suitable } = probeAll()
    try {
      const first = await Promise.any(suitable)
      if (!needsPrimary) return first
      const others = Promise.allSettled(suitable)
      // An unreachable server delays the others only briefly, unless those that have answered cannot be used.
      await (isFirst ? others : Promise.race([others, wait(othersMs, undefined, { ref: false })]))
      if (promotions) promotions.isSearched = true
      if (found.every(isFormerPrimary)) await others
      const current = found.find((server) => !isFormerPrimary(server)) ?? (await onlyPrimary(found, probes))
      if (!current) throw new NoServerError('a server that was promoted later does not answer')
      return current
    } catch (error) {
      const any = target === 'prefer-standby' ? await Promise.any(probes).catch(() => undefined) : undefined
      if (any) return any
      throw new NoServerError("Can't reach database: no server in the URL matches target_session_attrs", {
        cause: error,
      })
    }
  }

  /**
   * The only server that accepts writes, if all have answered and none has the later timeline any more. This happens
   * when the server that had been promoted was made a standby again, with the data of this one.
   */
  async function onlyPrimary(
    found: readonly LocatedServer[],
    probes: Promise<ProbeResult & LocatedServer>[],
  ): Promise<LocatedServer | undefined> {
    const answers = await Promise.all(probes).catch(() => [])
    const [only] = found
    const isReset = answers.every(({ timeline }) => timeline > 0 && only && timeline <= only.timeline)
    if (!promotions || !only || found.length > 1 || answers.length === 0 || !isReset) return undefined
    promotions.newest = only.timeline
    return only
  }

  return {
    needsSelection,
    isFormerPrimary,
    isSuitable: (isReadOnly) => isSuitableFor(target, isReadOnly),
    onPromotion(listener) {
      if (!promotions) return () => {}
      promotions.listeners.add(listener)
      promotions.timer ??= setInterval(() => void Promise.allSettled(probeAll().suitable), recheckMs).unref()
      return () => {
        promotions.listeners.delete(listener)
        if (promotions.listeners.size > 0) return
        clearInterval(promotions.timer)
        delete promotions.timer
      }
    },
    async identify(client, found) {
      if (!promotions) return found
      const timeline = await readTimeline(client)
      observeTimeline(timeline)
      return { ...found, timeline }
    },
    async locate() {
      if (!needsSelection) return { address: hosts[0], timeline: 0 }
      if (known && !isFormerPrimary(known)) return known
      search ??= find().finally(() => (search = undefined))
      return (known = await search)
    },
    invalidate(address) {
      if (known?.address.host === address.host && known.address.port === address.port) known = undefined
    },
  }
}

function isSuitableFor(target: Target, isReadOnly: boolean): boolean {
  if (target === 'read-write' || target === 'primary') return !isReadOnly
  if (target === 'read-only' || target === 'standby' || target === 'prefer-standby') return isReadOnly
  return true
}

/** SQL for whether a server is read-only: a standby, or one configured as read-only. */
export const isReadOnlySql = `pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean`

type ProbeResult = {
  isReadOnly: boolean
  /** Grows with each promotion: a former primary that comes back has a lower one. 0 if unknown. */
  timeline: number
}

async function probe(config: ClientConfig, { host, port }: PostgresHost): Promise<ProbeResult> {
  const client = new Client({
    ...config,
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
    application_name: 'foyer probe',
  })
  // Connects to this server instead of the first one in the URL.
  Object.assign(client, { host, port })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ isReadOnly: boolean }>(`select ${isReadOnlySql} as "isReadOnly"`)
    return { isReadOnly: rows[0]?.isReadOnly ?? true, timeline: await readTimeline(client) }
  } finally {
    void client.end().catch(() => {})
  }
}

/**
 * SQL for the timeline of a server. For a primary, it is the first eight digits of the name of its WAL file, a
 * hexadecimal number. For a standby, it is the highest of the last checkpoint, of what it has to replay before it may
 * answer, and of what it receives (which only roles that may read statistics see): the first is behind until the next
 * checkpoint.
 */
const timelineSql = `case when pg_is_in_recovery()
  then (select greatest(c.timeline_id, r.min_recovery_end_timeline, (select received_tli from pg_stat_wal_receiver))
    from pg_control_checkpoint() c, pg_control_recovery() r)
  else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end`

/** The timeline of a server. 0 where compatible clusters do not have the functions. */
export async function readTimeline(sql: Pick<Client, 'query'>): Promise<number> {
  try {
    const { rows } = await sql.query<{ timeline: number }>(`select ${timelineSql} as timeline`)
    return rows[0]?.timeline ?? 0
  } catch (error) {
    // Classes 0A and 42: the feature or the function is not there, or not allowed. Others are failures of this server.
    if (error instanceof DatabaseError && /^(?:0A|42)/.test(error.code ?? '')) return 0
    throw error
  }
}
