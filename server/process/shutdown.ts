import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** A graceful stop takes at most this long (REL-07). */
const stopMs = 10_000

/** What is on its way when a stop begins is let in for so long; then no new connection is. */
const lastCallMs = 250

/** Running requests are answered, and each answer says that its connection ends; idle connections end, then the server. */
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

/** Ends the process gracefully on the signals of terminals and service managers. */
export function stopOn(stop: () => Promise<void>): void {
  const end = stopOnce(stop)
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

/** Ends the process gracefully; a second signal more than a second later, or the limit, ends it at once. */
export function stopOnce(stop: () => Promise<void>): () => void {
  let since: number | undefined
  return () => {
    if (since !== undefined) {
      // One key press reaches npm and us: the same signal twice is one.
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
