import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, expect } from 'vitest'
import { afterTestFile } from './after-test-file.ts'

/** Starts real server processes on a separate data folder. The first start builds the server. */
export const folder = mkdtempSync(join(tmpdir(), 'foyer-start-'))
const children = new Set<ChildProcess>()

type StartOptions = {
  isGroup?: boolean
  cwd?: string
  args?: string[]
  /** The program of Node.js, if not the one that runs the tests. */
  node?: string
}

export function start(
  settings: Record<string, string>,
  { isGroup = false, cwd, args = [], node = process.execPath }: StartOptions = {},
) {
  const child = spawn(node, ['server/start.mjs', ...args], {
    ...(cwd !== undefined && { cwd }),
    // Most tests have no load balancer that has to notice the shutdown.
    env: { PATH: process.env['PATH'], DATA_DIR: folder, RATE_LIMIT: 'off', DRAIN_SECONDS: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that a signal reaches all of its processes, as from a terminal.
    detached: isGroup,
  })
  children.add(child)
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  return {
    child,
    ended,
    output: () => output,
    /** Output for people: all lines that are not JSON log lines. */
    plainOutput: () => output.split('\n').filter((line) => line !== '' && !line.startsWith('{')),
    async ready() {
      while (!output.includes('Foyer is ready at') && child.exitCode === null) await wait(50)
      expect(output).toContain('Foyer is ready at')
    },
  }
}

export const post = (port: string, path: string, body: object) =>
  fetch(`http://127.0.0.1:${port}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Waits for a condition without a timeout of its own; the test's timeout applies. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await wait(20)
}

/**
 * Starts a request and resolves once the server has accepted it with `100 Continue` (RFC 9110). Returns a function that
 * sends the body and resolves to the status.
 */
export function begin(port: string, path: string, body: object): Promise<() => Promise<number | undefined>> {
  const headers = { 'content-type': 'application/json', expect: '100-continue' }
  return new Promise((begun, fail) => {
    const sent = request({ port, host: '127.0.0.1', path: `/api/auth${path}`, method: 'POST', headers, agent: false })
    const answered = new Promise<number | undefined>((done, fail) => {
      sent.once('response', (response) => {
        response.resume()
        done(response.statusCode)
      })
      sent.once('error', fail)
    })
    sent.once('error', fail)
    sent.once('continue', () =>
      begun(() => {
        sent.end(JSON.stringify(body))
        return answered
      }),
    )
    sent.flushHeaders()
  })
}

/** Builds the server, and ends its processes after the tests. */
export function useProcesses(): void {
  beforeAll(async () => {
    const build = spawn(process.execPath, ['server/start.mjs', '--build'], { stdio: 'ignore' })
    if ((await new Promise((done) => build.once('exit', done))) !== 0) throw new Error('The build failed')
  })

  afterTestFile(async () => {
    for (const child of children) child.kill('SIGKILL')
    await wait(200)
    rmSync(folder, { recursive: true, force: true })
  })
}

/** Pids of the worker processes. */
export function workersOf({ child: { pid } }: ReturnType<typeof start>): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '' && commandOf(child).includes('start.mjs'))
}

/** The command line of a process. Empty if it has ended in the meantime. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
