import dns from 'node:dns'
import { connect, createServer, type Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { freePort } from '../testing/ports.ts'
import { hasStandby, startPrimaryAndStandby } from '../testing/standby.ts'
import { createPool } from './pool.ts'
import { isRecord } from './records.ts'
import { createReplica } from './replica.ts'

/** Commits wait for no standby. */
const alone = "synchronous_standby_names = ''"

const portOf = (url: string) => new URL(url).port

/** The port of the server that a pool is connected to. */
async function serverOf(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ port: string }>("select current_setting('port') as port")
  return rows[0]?.port
}

/** The server that a process finds which starts now, and so has opened no pool before, or else why it finds none. */
async function foundByNewProcess(url: string): Promise<string | undefined> {
  const pool = createPool(url, { onError: () => {} })
  const found = await serverOf(pool).catch((error: Error) => error.message)
  await pool.end()
  return found
}

async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await wait(50)
}

/** Forwards connections from an address to a port of this machine. */
async function forward(address: string, port: string, to: string): Promise<Server> {
  const server = createServer((socket) => {
    const target = connect(Number(to), '127.0.0.1')
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((done) => void server.listen(Number(port), address, done))
  return server
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe.skipIf(!hasStandby)('a former primary that still accepts writes (skipped without Debian’s PostgreSQL)', () => {
  it('is not used by a process that starts while the new one is read-only', async () => {
    const servers = await startPrimaryAndStandby()
    await servers.promote()
    await servers.configure('standby', 'default_transaction_read_only = on')
    // Sessions that are open may have the former setting; new ones have this one.
    await until(async () => {
      const pool = createPool(servers.standbyUrl, { onError: () => {} })
      const { rows } = await pool.query<{ value: string }>(
        "select current_setting('default_transaction_read_only') as value",
      )
      await pool.end()
      return rows[0]?.value === 'on'
    })
    expect(await foundByNewProcess(servers.bothUrl)).toContain('no server in the URL matches target_session_attrs')
    servers.close()
  })

  it('is not used by a process that starts while only a standby knows of the promotion', async () => {
    const servers = await startPrimaryAndStandby()
    await servers.configure('primary', alone)
    await servers.promote()
    await servers.configure('standby', alone)
    await servers.onStandby('checkpoint')
    const follower = await servers.addStandby('promoted')
    servers.killStandby()
    const hosts = [servers.url, servers.standbyUrl, follower].map((url) => `127.0.0.1:${portOf(url)}`).join(',')
    const url = `postgresql://foyer@${hosts}/postgres?target_session_attrs=read-write`
    expect(await foundByNewProcess(url)).toContain('no server in the URL matches target_session_attrs')
    servers.close()
  })

  it('is not used again because the one promoted after it came back as a standby before its first checkpoint', async () => {
    const servers = await startPrimaryAndStandby()
    await servers.configure('primary', alone)
    // What a checkpoint after the promotion has to write: it takes its time.
    await servers.onPrimary("create table filler as select repeat('x', 900) as text from generate_series(1, 50000)")
    await servers.promote()
    const pool = createPool(servers.bothUrl, { onError: () => {} })
    await until(async () => (await serverOf(pool).catch(() => undefined)) === portOf(servers.standbyUrl))
    await servers.onStandby('set synchronous_commit = local; create table acknowledged (n int)')
    servers.killStandby()
    await servers.restartAsStandby()
    await until(
      async () => (await serverOf(pool).catch((error: Error) => error.message))?.includes('no server') ?? false,
    )
    for (let n = 0; n < 3; n++)
      await expect(serverOf(pool)).rejects.toThrow('no server in the URL matches target_session_attrs')
    await pool.end()
    servers.close()
  })

  it('is not used because the name of a host leads to it, too', async () => {
    const servers = await startPrimaryAndStandby()
    await servers.promote()
    const port = await freePort()
    const lookup = dns.lookup
    const both = ['127.0.0.2', '127.0.0.3'].map((address) => ({ address, family: 4 }))
    vi.spyOn(dns, 'lookup').mockImplementation((...call: unknown[]) => {
      const [name, options, done] = call
      if (name !== 'db.test' || typeof done !== 'function') return void Reflect.apply(lookup, dns, call)
      const isAll = isRecord(options) && options['all'] === true
      Reflect.apply(done, undefined, isAll ? [null, both] : [null, '127.0.0.2', 4])
    })
    const toNew = await forward('127.0.0.2', port, portOf(servers.standbyUrl))
    const toFormer = await forward('127.0.0.3', port, portOf(servers.url))
    const hosts = `db.test:${port},127.0.0.1:${portOf(servers.url)}`
    const pool = createPool(`postgresql://foyer@${hosts}/postgres?target_session_attrs=read-write`, {
      onError: () => {},
    })
    expect(await serverOf(pool)).toBe(portOf(servers.standbyUrl))
    toNew.close()
    await pool.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {})
    for (let n = 0; n < 3; n++)
      await expect(serverOf(pool)).rejects.toThrow(
        /no server in the URL matches target_session_attrs|another server has become the primary/,
      )
    await pool.end()
    toFormer.close()
    servers.close()
  })

  it('is given up by a process that opens no new connection', async () => {
    const servers = await startPrimaryAndStandby()
    await servers.configure('primary', alone)
    const pool = createPool(servers.bothUrl, { onError: () => {}, connections: 1 })
    expect(await serverOf(pool)).toBe(portOf(servers.url))
    await servers.promote()
    // Never idle, so that its connection is not replaced by itself.
    await until(async () => (await serverOf(pool).catch(() => undefined)) === portOf(servers.standbyUrl))
    await pool.end()
    servers.close()
  })

  it('does not read from standbys, even if their WAL position is ahead', async () => {
    const servers = await startPrimaryAndStandby()
    await servers.configure('primary', alone)
    const follower = await servers.addStandby('primary')
    const primary = createPool(servers.bothUrl, { onError: () => {} })
    const replica = createReplica(follower, primary)
    await until(async () => replica.isUsable())
    await servers.configure('standby', "primary_conninfo = ''")
    await servers.onPrimary("create table filler as select repeat('x', 900) as text from generate_series(1, 20000)")
    await servers.promote()
    await servers.configure('standby', alone)
    await until(async () => (await serverOf(primary).catch(() => undefined)) === portOf(servers.standbyUrl))
    await until(async () => !replica.isUsable())
    // Two checks later it still is not.
    await wait(5_000)
    expect(replica.isUsable()).toBe(false)
    await replica.close()
    await primary.end()
    servers.close()
  })
})

describe.skipIf(!hasStandby)('a healthy primary with a standby (skipped without Debian’s PostgreSQL)', () => {
  it('is asked repeatedly, without an error that nobody handles', async () => {
    const servers = await startPrimaryAndStandby()
    const unhandled: unknown[] = []
    const keep = (error: unknown) => void unhandled.push(error)
    process.on('unhandledRejection', keep)
    const pool = createPool(servers.bothUrl, { onError: () => {}, isWithoutTimeouts: true })
    // As a long migration: the servers are asked every ten seconds meanwhile.
    await pool.query('select pg_sleep(12)')
    await pool.end()
    process.off('unhandledRejection', keep)
    expect(unhandled).toEqual([])
    servers.close()
  })

  it('is used where the timeline of a primary cannot be read, and so is the replica', async () => {
    const servers = await startPrimaryAndStandby()
    for (const text of [
      'create schema managed',
      `create function managed.pg_walfile_name(pg_lsn) returns text language plpgsql
        as $$ begin raise 'not supported' using errcode = '0A000'; end $$`,
      'alter role foyer set search_path = managed, pg_catalog, public',
    ])
      await servers.onPrimary(text)
    const pool = createPool(servers.bothUrl, { onError: () => {} })
    const [primaryPort] = await Promise.all([serverOf(pool), serverOf(pool)])
    expect(primaryPort).toBe(portOf(servers.url))
    const replica = createReplica(servers.standbyUrl, pool)
    await until(async () => replica.isUsable())
    await replica.close()
    await pool.end()
    servers.close()
  })
})
