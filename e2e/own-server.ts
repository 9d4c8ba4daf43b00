import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePorts } from '../server/testing/ports.ts'
import { expect } from './fixtures.ts'

/** A server with its own settings and its own PostgreSQL. Returns its origin and a function that stops it. */
export async function startServer(settings: Record<string, string>) {
  const [port] = await freePorts(1)
  const origin = `http://localhost:${port}`
  const folder = mkdtempSync(join(tmpdir(), 'own-server-'))
  const server = spawn(process.execPath, ['server/start.mjs'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATA_DIR: folder,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: 'inherit',
  })
  const ended = once(server, 'exit')
  while (!(await fetch(`${origin}/api/health`).catch(() => undefined))?.ok && server.exitCode === null) await wait(100)
  expect(server.exitCode).toBeNull()
  return {
    origin,
    async stop() {
      server.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
