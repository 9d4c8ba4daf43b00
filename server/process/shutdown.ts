import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { logFailure } from './say.ts'

/** Maximum duration of a graceful shutdown after the port was closed (REL-07). */
const stopMs = 9_500

/** Before the port closes, connections are closed after their next answer for this long. */
const lastCallMs = 250

/**
 * Whether this process is about to end. Load balancers see it in `/api/health` and send nothing more, while everything that still
 * comes is served.
 */
export type Draining = { isOn: boolean }

/** Says that the process ends, and serves what still comes for a while. */
export async function drain(draining: Draining, servers: readonly Server[], seconds: number): Promise<void> {
  // One that is replaced says nothing: others go on with its port.
  draining.isOn = seconds > 0
  for (const server of servers)
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  await wait(Math.max(seconds * 1000, lastCallMs))
}

/** Finishes running requests, closes idle connections, then closes the server. */
export async function endServer(server: Server): Promise<void> {
  await new Promise<void>((done) => {
    const closing = setInterval(() => server.closeIdleConnections(), 100)
    server.close(() => {
      clearInterval(closing)
      done()
    })
  })
}

/** Shuts down gracefully on SIGTERM, SIGINT and, unless it has another meaning, SIGHUP. */
export function stopOn(stop: () => Promise<void>, { drainSeconds, onHangup }: StopOptions): void {
  const end = stopOnce(stop, drainSeconds)
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('SIGHUP', onHangup ?? end)
}

type StopOptions = { drainSeconds: number; onHangup?: (() => void) | undefined }

/** Shuts down gracefully. Exits at once after the time limit, or on a second signal more than a second later. */
export function stopOnce(stop: () => Promise<void>, drainSeconds: number): () => void {
  let since: number | undefined
  return () => {
    if (since !== undefined) {
      // Ctrl+C reaches both npm and this process: the same signal arriving twice counts as one.
      if (performance.now() - since > 1_000) process.exit(1)
      return
    }
    since = performance.now()
    setTimeout(() => process.exit(1), drainSeconds * 1000 + stopMs).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logFailure('failed to stop', error)
        process.exit(1)
      },
    )
  }
}
