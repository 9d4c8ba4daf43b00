import type { ClientConfig } from 'pg'

/** The accepted values of `target_session_attrs`, as in libpq (PostgreSQL manual, 34.1.1). */
const targets = ['any', 'read-write', 'primary', 'read-only', 'standby', 'prefer-standby'] as const
export type Target = (typeof targets)[number]

/** A server: a host name, an IP address, or the folder of a Unix socket. */
export type PostgresHost = { host: string; port: number }

/** A parsed connection URL. */
export type PostgresUrl = {
  /** The servers, in the order of the URL. After a failover, another one replaces the first. */
  hosts: [PostgresHost, ...PostgresHost[]]
  target: Target
  /**
   * Whether PgBouncer in transaction mode is in front (`pgbouncer=true`): each transaction may use another connection.
   */
  isPooled: boolean
  /** All other settings, for pg. Its server is the first one. */
  config: Pick<ClientConfig, 'connectionString'>
}

const form = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(\/[^?#]*)?(\?[^#]*)?$/

/**
 * Parses a connection URL: `postgresql://user:password@host1:5432,host2:5432/database?target_session_attrs=read-write`.
 * Returns undefined if the text is not one. `host` and `port` may also be query parameters, where a host may be the
 * folder of a Unix socket (`postgresql://user@/database?host=/var/run/postgresql`). Parameters of pg (`sslmode`,
 * `options` …) are passed on.
 */
export function parsePostgresUrl(url: string): PostgresUrl | undefined {
  const [, start = '', hosts = '', path = '', search = ''] = form.exec(url) ?? []
  const query = new URLSearchParams(search)
  const target = query.get('target_session_attrs') ?? 'any'
  const pgbouncer = query.get('pgbouncer') ?? 'false'
  if (!isTarget(target) || !/^(?:true|false)$/.test(pgbouncer)) return undefined
  const [first, ...others] = hostsOf(hosts, query.get('host'), query.get('port'))
  if (start === '' || !first || others.some((host) => host === undefined)) return undefined
  for (const own of ['target_session_attrs', 'pgbouncer', 'host', 'port']) query.delete(own)
  const rest = query.size === 0 ? '' : `?${query.toString()}`
  // A placeholder for the folder of a socket, which is set after the URL has been parsed.
  const host = first.host.startsWith('/') ? 'localhost' : first.host.includes(':') ? `[${first.host}]` : first.host
  const single = `${start}${host}:${first.port}${path}${rest}`
  if (!URL.canParse(single)) return undefined
  return {
    hosts: [first, ...others.flatMap((host) => host ?? [])],
    target,
    isPooled: pgbouncer === 'true',
    config: { connectionString: single },
  }
}

/** The servers of a URL. As in libpq, the parameters override the hosts before the path. */
function hostsOf(hosts: string, named: string | null, ports: string | null): (PostgresHost | undefined)[] {
  if (named === null && ports === null) return hosts.split(',').map(parseHost)
  const names = named?.split(',') ?? hosts.split(',').map((host) => host.replace(/:\d*$/, ''))
  const numbers = ports?.split(',') ?? []
  if (numbers.length > 1 && numbers.length !== names.length) return []
  return names.map((name, index) => {
    const port = numbers[index] ?? numbers[0] ?? '5432'
    if (!name.startsWith('/'))
      return parseHost(`${name.includes(':') ? `[${name.replace(/^\[|\]$/g, '')}]` : name}:${port}`)
    return /^\d{1,5}$/.test(port) ? { host: name, port: Number(port) } : undefined
  })
}

function parseHost(text: string): PostgresHost | undefined {
  const [, name, v6, port = '5432'] = /^(?:([^[\]:,\s]+)|\[([\da-f:.]+)\])(?::(\d{1,5}))?$/i.exec(text) ?? []
  const host = name ?? v6
  return host === undefined ? undefined : { host: decodeURIComponent(host), port: Number(port) }
}

function isTarget(text: string): text is Target {
  return targets.some((known) => known === text)
}
