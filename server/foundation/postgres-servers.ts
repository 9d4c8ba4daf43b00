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
  const needsPrimary = target === 'primary' || target === 'read-write'
  let known: Found | undefined
  let search: Promise<Found> | undefined
  let checkedAt = 0
  /** The highest timeline seen. A server with a lower one is a former primary, whose writes would be lost. */
  let newestTimeline = 0

  /** The suitable servers, as they answer, and all that answered. */
  function ask() {
    const found: Found[] = []
    const probes = places.map(async (place) => ({ place, ...(await probe(config, place)) }))
    const fitting = probes.map(async (probed) => {
      const { isReadOnly, ...server } = await probed
      if (!fits(target, isReadOnly)) throw new NoServerError('does not fit')
      found.push(server)
      return server
    })
    return { found, probes, fitting }
  }

  async function find(): Promise<Found> {
    const { found, probes, fitting } = ask()
    try {
      const first = await Promise.any(fitting)
      if (!needsPrimary) return first
      const others = Promise.allSettled(fitting)
      // An unreachable server delays the others only briefly, unless those that have answered cannot be used.
      await Promise.race([others, wait(othersMs, undefined, { ref: false })])
      if (!usable(found)) await others
      const newest = usable(found)
      if (!newest) throw new NoServerError('a server that was promoted later is known, and does not answer')
      newestTimeline = newest.timeline
      return newest
    } catch (error) {
      const any = target === 'prefer-standby' ? await Promise.any(probes).catch(() => undefined) : undefined
      if (any) return any
      throw new NoServerError("Can't reach database: no server of the URL fits", { cause: error })
    }
  }

  /** The server that was promoted last, unless a later one is known. */
  function usable(found: readonly Found[]): Found | undefined {
    const newest = found.toSorted((a, b) => b.timeline - a.timeline)[0]
    return newest && newest.timeline >= newestTimeline ? newest : undefined
  }

  /** Goes on to a server that was promoted after the known one, which may not have noticed. Never back. */
  async function check(current: Found): Promise<void> {
    checkedAt = performance.now()
    const { found, fitting } = ask()
    await Promise.allSettled(fitting)
    const newest = usable(found)
    if (known !== current || !newest || newest.timeline <= current.timeline) return
    known = newest
    newestTimeline = newest.timeline
  }

  return {
    isChosen,
    fits: (isReadOnly) => fits(target, isReadOnly),
    async locate() {
      if (!isChosen) return places[0]
      if (known) {
        if (needsPrimary && places.length > 1 && performance.now() - checkedAt > recheckMs) void check(known)
        return known.place
      }
      search ??= find().finally(() => (search = undefined))
      known = await search
      checkedAt = performance.now()
      return known.place
    },
    forget(place) {
      if (known?.place.host === place.host && known.place.port === place.port) known = undefined
    },
  }
}

type Found = { place: PostgresPlace; timeline: number }

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
