import { setTimeout as wait } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { PostgresPlace, PostgresUrl, Target } from './postgres-url.ts'

/** How long one server may take to report its role, in milliseconds. */
const probeMs = 1_500
/** How long the other servers may take to report, once one is suitable, in milliseconds. */
const othersMs = 300
/** How long a chosen server is used before the others are asked again, in milliseconds. */
const recheckMs = 30_000

/** None of the servers in the URL can be used now. This counts as an outage: calls are answered with 503. */
class NoServerError extends Error {
  readonly code = 'ECONNREFUSED'
}

/** Chooses the server to connect to, among those in a URL. */
export type Servers = {
  /** Finds a suitable server. The result is reused until `forget`. */
  locate: () => Promise<PostgresPlace>
  /** Makes the next connection search again, because this server is unreachable or has changed its role. */
  forget: (place: PostgresPlace) => void
  /** Whether a session on a server of this kind is suitable. */
  fits: (isReadOnly: boolean) => boolean
  /** Whether there are several servers or a required role to check. */
  isChosen: boolean
}

export function openServers({ places, target, config }: PostgresUrl): Servers {
  const isChosen = places.length > 1 || target !== 'any'
  let known: PostgresPlace | undefined
  let knownAt = 0
  let search: Promise<PostgresPlace> | undefined

  async function find(): Promise<PostgresPlace> {
    const probes = places.map(async (place) => ({ place, ...(await probe(config, place)) }))
    const found: { place: PostgresPlace; timeline: number }[] = []
    const fitting = probes.map(async (probed) => {
      const { isReadOnly, ...server } = await probed
      if (!fits(target, isReadOnly)) throw new NoServerError('does not fit')
      found.push(server)
      return server
    })
    try {
      const first = await Promise.any(fitting)
      if (target !== 'primary' && target !== 'read-write') return first.place
      // An unreachable server delays the others only briefly.
      await Promise.race([Promise.allSettled(fitting), wait(othersMs, undefined, { ref: false })])
      return found.reduce((newest, one) => (one.timeline > newest.timeline ? one : newest), first).place
    } catch (error) {
      const any = target === 'prefer-standby' ? await Promise.any(probes).catch(() => undefined) : undefined
      if (any) return any.place
      throw new NoServerError("Can't reach database: no server of the URL fits", { cause: error })
    }
  }

  async function searchAgain(): Promise<PostgresPlace> {
    try {
      const place = await find()
      known = place
      knownAt = performance.now()
      return place
    } finally {
      search = undefined
    }
  }

  return {
    isChosen,
    fits: (isReadOnly) => fits(target, isReadOnly),
    async locate() {
      if (!isChosen) return places[0]
      const isFresh = known !== undefined && performance.now() - knownAt < recheckMs
      if (!isFresh) search ??= searchAgain()
      if (!known) return search ?? searchAgain()
      // A standby may have been promoted while the former primary goes on: later connections go there. This one does not wait,
      // and if no server fits now, the known one is used until it fails.
      search?.catch(() => {})
      return known
    },
    forget(place) {
      if (known?.host === place.host && known.port === place.port) known = undefined
    },
  }
}

function fits(target: Target, isReadOnly: boolean): boolean {
  if (target === 'read-write' || target === 'primary') return !isReadOnly
  if (target === 'read-only' || target === 'standby' || target === 'prefer-standby') return isReadOnly
  return true
}

/** SQL for whether a server is read-only: a standby, or one configured as read-only. */
export const isReadOnlyText = `pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean`

type Probed = {
  isReadOnly: boolean
  /** Grows with each promotion: a former primary that comes back has a lower one. 0 for standbys, and if unknown. */
  timeline: number
}

async function probe(config: ClientConfig, { host, port }: PostgresPlace): Promise<Probed> {
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
    const { rows } = await client.query<{ isReadOnly: boolean }>(`select ${isReadOnlyText} as "isReadOnly"`)
    const isReadOnly = rows[0]?.isReadOnly ?? true
    return { isReadOnly, timeline: isReadOnly ? 0 : await readTimeline(client) }
  } finally {
    void client.end().catch(() => {})
  }
}

/** The first eight digits of a WAL file's name are the timeline. Compatible clusters may not have the function. */
async function readTimeline(client: Client): Promise<number> {
  try {
    const { rows } = await client.query<{ file: string }>('select pg_walfile_name(pg_current_wal_lsn()) as file')
    return Number.parseInt(rows[0]?.file.slice(0, 8) ?? '', 16) || 0
  } catch {
    return 0
  }
}
