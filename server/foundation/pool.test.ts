import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, describe, expect, it } from 'vitest'
import { hasPgBouncer, startPgBouncer } from '../testing/pgbouncer.ts'
import { createPool } from './pool.ts'
import { parsePostgresUrl } from './postgres-url.ts'

describe('a connection URL', () => {
  it('names one server or several, of which one kind is used', () => {
    expect(parsePostgresUrl('postgresql://me:secret@db.example:6432/foyer?sslmode=require')).toEqual({
      hosts: [{ host: 'db.example', port: 6432 }],
      target: 'any',
      isPooled: false,
      config: { connectionString: 'postgresql://me:secret@db.example:6432/foyer?sslmode=require' },
    })
    expect(
      parsePostgresUrl('postgres://me@corp:secret@one,[::1]:5433/foyer?target_session_attrs=read-write&pgbouncer=true'),
    ).toMatchObject({
      hosts: [
        { host: 'one', port: 5432 },
        { host: '::1', port: 5433 },
      ],
      target: 'read-write',
      isPooled: true,
    })
  })

  it.each([
    ['postgresql://me@/foyer?host=/var/run/postgresql', [{ host: '/var/run/postgresql', port: 5432 }]],
    ['postgresql://me@one/foyer?host=two&port=6432', [{ host: 'two', port: 6432 }]],
    ['postgresql://me@one:6432/foyer?port=7432', [{ host: 'one', port: 7432 }]],
    [
      'postgresql:///foyer?host=one,::1&port=6432,7432',
      [
        { host: 'one', port: 6432 },
        { host: '::1', port: 7432 },
      ],
    ],
  ])('may name its servers in parameters: %s', (url, places) => {
    const parsed = parsePostgresUrl(url)
    expect(parsed?.hosts).toEqual(places)
    expect(parsed?.config.connectionString).not.toMatch(/[?&](?:host|port)=/)
  })

  it.each([
    'mysql://me@one/foyer',
    'postgresql:///foyer',
    'postgresql://me@one:99999999/foyer',
    'postgresql://me@one,/foyer',
    'postgresql://me@/foyer?host=one,two,three&port=1,2',
    'postgresql://me@/foyer?host=/run&port=none',
    'postgresql://me@one/foyer?target_session_attrs=fastest',
    'postgresql://me@one/foyer?pgbouncer=maybe',
  ])('is refused: %s', (url) => {
    expect(parsePostgresUrl(url)).toBeUndefined()
  })
})

const settingsText = `select current_setting('TimeZone') as zone, current_setting('statement_timeout') as statements,
  current_setting('lock_timeout') as locks`

describe('a connection', () => {
  it('uses UTC and limits, without startup parameters', async () => {
    const pool = createPool(inject('postgresUrl'), { onError: () => {} })
    expect((await pool.query(settingsText)).rows).toEqual([{ zone: 'UTC', statements: '4s', locks: '3s' }])
    await pool.end()
  })

  it('of migrations and jobs has no limits, even if the role has some', async () => {
    const pool = createPool(inject('postgresUrl'), { onError: () => {}, isWithoutTimeouts: true })
    expect((await pool.query(settingsText)).rows).toEqual([{ zone: 'UTC', statements: '0', locks: '0' }])
    await pool.end()
  })

  it('goes through a Unix socket', async () => {
    const { hostname, port, username, password, pathname } = new URL(inject('postgresUrl'))
    const folder = mkdtempSync(join(tmpdir(), 'socket-'))
    const server = createServer((socket) => {
      const other = connect(Number(port), hostname)
      socket.pipe(other).pipe(socket)
      for (const end of [socket, other]) end.on('error', () => {})
    }).listen(join(folder, '.s.PGSQL.6543'))
    await once(server, 'listening')
    const url = `postgresql://${username}:${password}@${pathname}?host=${encodeURIComponent(folder)}&port=6543`
    const pool = createPool(url, { onError: () => {} })
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await pool.end()
    server.close()
    rmSync(folder, { recursive: true })
  })

  it('goes to the server that accepts writes, regardless of the order in the URL', async () => {
    const { hostname, port } = new URL(inject('postgresUrl'))
    const url = inject('postgresUrl').replace(`${hostname}:${port}`, `127.0.0.1:1,${hostname}:${port}`)
    const pool = createPool(`${url}?target_session_attrs=read-write`, { onError: () => {} })
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await pool.end()
    const standby = createPool(`${url}?target_session_attrs=standby`, { onError: () => {} })
    await expect(standby.query('select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await standby.end()
  })
})

describe.skipIf(!hasPgBouncer)('behind PgBouncer (skipped where it is not installed)', () => {
  it('in transaction mode, statements have no names, the time zone is UTC, and sessions keep no state', async () => {
    const bouncer = await startPgBouncer(inject('postgresUrl'))
    const pool = createPool(bouncer.url('postgres'), { connections: 5, onError: () => {} })
    const named = () => pool.query({ name: 'same', text: 'select $1::int as n', values: [1] })
    expect((await Promise.all(Array.from({ length: 40 }, named))).every(({ rows }) => rows[0].n === 1)).toBe(true)
    const settings = await Promise.all(Array.from({ length: 20 }, () => pool.query(settingsText)))
    expect(new Set(settings.map(({ rows }) => rows[0].zone))).toEqual(new Set(['UTC']))
    await pool.end()
    await bouncer.close()
  })

  it('in session mode, no setting is needed', async () => {
    const bouncer = await startPgBouncer(inject('postgresUrl'), 'session')
    const pool = createPool(bouncer.url('postgres'), { connections: 5, onError: () => {} })
    expect((await pool.query(settingsText)).rows).toEqual([{ zone: 'UTC', statements: '4s', locks: '3s' }])
    await pool.end()
    await bouncer.close()
  })
})
