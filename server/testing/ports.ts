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

async function listenOnFreePort(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
