import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'

/** Free ports, as strings for settings. All are bound before any is released, so that they differ. */
export async function freePorts(count: number): Promise<string[]> {
  const servers = await Promise.all(Array.from({ length: count }, listenOnFreePort))
  const ports = servers.map((server) => String((server.address() as AddressInfo).port))
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

export async function freePort(): Promise<string> {
  const [port = ''] = await freePorts(1)
  return port
}

/**
 * Below the range that the system takes the ports of outgoing connections from: a process may be started again on its
 * port.
 */
const range = { from: 20_000, to: 32_000 }

async function listenOnFreePort(): Promise<Server> {
  for (;;) {
    const server = createServer().listen(randomInt(range.from, range.to), '127.0.0.1')
    const isListening = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (isListening) return server
  }
}
