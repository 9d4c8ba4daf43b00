import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** Maximum duration of a graceful shutdown (REL-07). */
const stopMs = 10_000

/** After a stop begins, new connections are accepted for this long, for requests already on their way. */
const lastCallMs = 250

/** Finishes running requests with `Connection: close`, closes idle connections, then closes the server. */
export async function endServer(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  await wait(lastCallMs)
  await new Promise<void>((done) => {
    const closing = setInterval(() => server.closeIdleConnections(), 100)
    server.close(() => {
      clearInterval(closing)
      done()
    })
  })
}

/** Shuts down gracefully on SIGTERM and SIGINT. */
export function stopOn(stop: () => Promise<void>): void {
  const end = stopOnce(stop)
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

/** Shuts down gracefully. Exits at once after the time limit, or on a second signal more than a second later. */
export function stopOnce(stop: () => Promise<void>): () => void {
  let since: number | undefined
  return () => {
    if (since !== undefined) {
      // Ctrl+C reaches both npm and this process: the same signal arriving twice counts as one.
      if (performance.now() - since > 1_000) process.exit(1)
      return
    }
    since = performance.now()
    setTimeout(() => process.exit(1), stopMs).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
}
