import { createServer, type Server } from 'node:http'
import { type createApp, serverOptions } from '../app.ts'
import type { Config } from '../config.ts'
import { watchConnections } from './shutdown.ts'
import { StartError } from './start-error.ts'

/** Slow clients are disconnected (SEC-88). Keep-alive is longer than a proxy's default of 60 s. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  // How often connections are checked for the timeouts above.
  connectionsCheckingInterval: 1_000,
}

/** A connection without traffic for this long is closed. No call takes as long. */
const idleMs = 120_000

/** Listens on HOST if set. Otherwise on all addresses in production, and on both loopback addresses in development. */
export async function listen(app: ReturnType<typeof createApp>, config: Config): Promise<Server[]> {
  const hosts = config.host ? [config.host] : config.isProduction ? [undefined] : ['127.0.0.1', '::1']
  const options = serverOptions(app)
  const servers: Server[] = []
  for (const address of hosts) {
    const server = createServer({ ...timeouts, ...options }, app)
    // Also closes connections of clients that do not read their response, which would stay in memory indefinitely.
    server.setTimeout(idleMs)
    watchConnections(server)
    try {
      await new Promise<void>((done, fail) => server.once('error', fail).listen(config.port, address, () => done()))
      servers.push(server)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : ''
      // A machine without IPv6 has no ::1 address.
      if (address === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) continue
      if (code === 'EADDRINUSE')
        throw new StartError(`Port ${config.port} is in use: stop the other program, or set PORT.`)
      if (code === 'EACCES')
        throw new StartError(`Port ${config.port} requires privileges: set PORT to 1024 or higher.`)
      if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
        throw new StartError(`HOST ${address} is not an address of this machine.`)
      throw error
    }
  }
  return servers
}
