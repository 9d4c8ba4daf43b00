import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { logFailure } from './output.ts'

/** Maximum duration of a graceful shutdown after the port was closed (REL-07). */
const stopMs = 9_500

/** How long connections are closed after their next response, before the port closes. */
const minDrainMs = 250
/**
 * The same for a process that is being replaced, in seconds, because no load balancer waits for it. A client that sends
 * a request on a connection that is just being closed gets an error; one that has sent none for two seconds rarely does
 * so at that moment.
 */
const replacedDrainSeconds = 2

/**
 * Whether this process is about to end. `/api/health` reports it, so that load balancers send no more requests, while
 * those that still arrive are served.
 */
export type Draining = { isOn: boolean }

/**
 * How a process ends: after the load balancer has noticed that it is draining, or replaced by another one, which
 * continues on its port. Meanwhile, all processes may be stopped.
 */
export type ShutdownReason = StopRequest | { stopped: Promise<StopRequest> }
export type StopRequest = { drainSeconds: number }

/** Keeps serving requests for a while, and marks the process as draining, unless another one continues. */
export async function drain(draining: Draining, servers: readonly Server[], reason: ShutdownReason): Promise<void> {
  for (const server of servers)
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  const request = 'stopped' in reason ? await Promise.race([wait(replacedDrainSeconds * 1000), reason.stopped]) : reason
  if (!request) return
  draining.isOn = request.drainSeconds > 0
  await wait(Math.max(request.drainSeconds * 1000, minDrainMs))
}

/** Connections of each server that have not sent a request yet. Node.js does not count them as idle. */
const socketsWithoutRequest = new WeakMap<Server, Set<Socket>>()

/** Tracks connections that have never sent anything, so that they do not delay the shutdown. */
export function watchConnections(server: Server): void {
  const sockets = new Set<Socket>()
  socketsWithoutRequest.set(server, sockets)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', ({ socket }) => sockets.delete(socket))
}

/** How long a connection without a request may still send one, in milliseconds. */
const noRequestMs = 1_000

/** Finishes running requests, closes idle connections and those without a request yet, then closes the server. */
export async function endServer(server: Server): Promise<void> {
  const begun = performance.now()
  await new Promise<void>((done) => {
    const closing = setInterval(() => {
      server.closeIdleConnections()
      if (performance.now() - begun > noRequestMs)
        for (const socket of socketsWithoutRequest.get(server) ?? []) socket.destroy()
    }, 100)
    server.close(() => {
      clearInterval(closing)
      done()
    })
  })
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Queues signals that arrive before they can be handled. The returned function delivers them. */
export function holdSignals(): () => void {
  const held: NodeJS.Signals[] = []
  const hold = (signal: NodeJS.Signals) => void held.push(signal)
  for (const signal of signals) process.on(signal, hold)
  return () => {
    for (const signal of signals) process.off(signal, hold)
    for (const signal of held) process.kill(process.pid, signal)
  }
}

/** Shuts down gracefully on SIGTERM, SIGINT and, unless it has another meaning, SIGHUP. */
export function stopOn(stop: () => Promise<void>, { drainSeconds, onHangup }: StopOptions): void {
  const end = stopOnce(stop, drainSeconds)
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('SIGHUP', onHangup ?? end)
}

type StopOptions = { drainSeconds: number; onHangup?: (() => void) | undefined }

/** Seconds until a process that ends in this way closes its port. */
export function maxDrainSeconds(reason: ShutdownReason, drainSeconds: number): number {
  return 'stopped' in reason ? replacedDrainSeconds + drainSeconds : drainSeconds
}

/** Shuts down gracefully. Exits immediately after the time limit, or on a second signal more than a second later. */
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
