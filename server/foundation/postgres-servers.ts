import { Client, type ClientConfig } from 'pg'
import type { PostgresPlace, PostgresUrl, Target } from './postgres-url.ts'

/** How long one server may take to report its role, in milliseconds. */
const probeMs = 1_500

/** None of the servers in the URL can be used now. This counts as an outage: calls are answered with 503. */
export class NoServerError extends Error {
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
  let search: Promise<PostgresPlace> | undefined

  async function find(): Promise<PostgresPlace> {
    const probes = places.map(async (place) => ({ place, isReadOnly: await probe(config, place) }))
    const fitting = probes.map(async (found) => {
      const { place, isReadOnly } = await found
      if (!fits(target, isReadOnly)) throw new NoServerError('does not fit')
      return place
    })
    try {
      // Uses the first server to answer, so that an unreachable one does not delay the others.
      return await Promise.any(fitting)
    } catch (error) {
      const any = target === 'prefer-standby' ? await Promise.any(probes).catch(() => undefined) : undefined
      if (any) return any.place
      throw new NoServerError("Can't reach database: no server of the URL fits", { cause: error })
    }
  }

  return {
    isChosen,
    fits: (isReadOnly) => fits(target, isReadOnly),
    async locate() {
      if (!isChosen) return places[0]
      if (known) return known
      search ??= find().finally(() => (search = undefined))
      known = await search
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

async function probe(config: ClientConfig, { host, port }: PostgresPlace): Promise<boolean> {
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
    return rows[0]?.isReadOnly ?? true
  } finally {
    void client.end().catch(() => {})
  }
}
