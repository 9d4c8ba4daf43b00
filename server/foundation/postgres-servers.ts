import { Client, type ClientConfig } from 'pg'
import type { PostgresPlace, PostgresUrl, Target } from './postgres-url.ts'

/** How long one server may take to say what it is, in milliseconds. */
const probeMs = 1_500

/** No server of the URL can be used now. It counts as an outage: calls are answered with 503. */
export class NoServerError extends Error {
  readonly code = 'ECONNREFUSED'
}

/** The server that connections go to, of those in a URL. */
export type Servers = {
  /** Finds one that fits. Known ones are used until `forget`. */
  locate: () => Promise<PostgresPlace>
  /** Looks again with the next connection: this one is gone, or is not what it was. */
  forget: (place: PostgresPlace) => void
  /** Whether a session of this kind fits. */
  fits: (isReadOnly: boolean) => boolean
  /** Whether there is anything to choose or to check. */
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
      // The first that says so: one that is gone does not hold up the others.
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

/** Whether a server only reads: a standby, or one that is set to read-only. */
export const isReadOnlyText = `pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean`

async function probe(config: ClientConfig, { host, port }: PostgresPlace): Promise<boolean> {
  const client = new Client({
    ...config,
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
    application_name: 'foyer probe',
  })
  // Instead of the first one of the URL.
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
