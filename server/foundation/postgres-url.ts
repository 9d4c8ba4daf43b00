import type { ClientConfig } from 'pg'

/** Which of several servers may be used, as in libpq (PostgreSQL manual, 34.1.1). */
const targets = ['any', 'read-write', 'primary', 'read-only', 'standby', 'prefer-standby'] as const
export type Target = (typeof targets)[number]

export type PostgresPlace = { host: string; port: number }

/** A connection URL as this application understands it. */
export type PostgresUrl = {
  /** The servers, in the order of the URL. The others stand in for the first one after a failover. */
  places: [PostgresPlace, ...PostgresPlace[]]
  target: Target
  /** Whether PgBouncer in transaction mode is in front (`pgbouncer=true`): each transaction may be on another connection. */
  isPooled: boolean
  /** Everything else, for pg. Its server is the first one. */
  config: Pick<ClientConfig, 'connectionString'>
}

const form = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]+)(\/[^?#]*)?(\?[^#]*)?$/

/**
 * Reads a connection URL: `postgresql://user:password@host1:5432,host2:5432/database?target_session_attrs=read-write`. Undefined if
 * it is none. Parameters of pg (`sslmode`, `options` …) are passed on.
 */
export function parsePostgresUrl(url: string): PostgresUrl | undefined {
  const [, start = '', hosts = '', path = '', search = ''] = form.exec(url) ?? []
  const [first, ...others] = hosts.split(',').map(parsePlace)
  if (start === '' || !first || others.some((place) => place === undefined)) return undefined
  const query = new URLSearchParams(search)
  const target = query.get('target_session_attrs') ?? 'any'
  const pgbouncer = query.get('pgbouncer') ?? 'false'
  if (!isTarget(target) || !/^(?:true|false)$/.test(pgbouncer)) return undefined
  query.delete('target_session_attrs')
  query.delete('pgbouncer')
  const rest = query.size === 0 ? '' : `?${query.toString()}`
  const single = `${start}${hosts.split(',')[0] ?? ''}${path}${rest}`
  if (!URL.canParse(single)) return undefined
  return {
    places: [first, ...others.flatMap((place) => place ?? [])],
    target,
    isPooled: pgbouncer === 'true',
    config: { connectionString: single },
  }
}

function parsePlace(text: string): PostgresPlace | undefined {
  const [, name, v6, port = '5432'] = /^(?:([^[\]:,\s]+)|\[([\da-f:.]+)\])(?::(\d{1,5}))?$/i.exec(text) ?? []
  const host = name ?? v6
  return host === undefined ? undefined : { host: decodeURIComponent(host), port: Number(port) }
}

function isTarget(text: string): text is Target {
  return targets.some((known) => known === text)
}
