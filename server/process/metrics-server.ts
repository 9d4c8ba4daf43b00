import { createServer, type Server } from 'node:http'
import { StartError } from './start-error.ts'

/** Serves `GET /metrics` on 127.0.0.1 for Prometheus, and nothing else. */
export async function serveMetrics(port: number, read: () => Promise<string>): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end()
      return
    }
    read().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(503).end(),
    )
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', () => done())).catch(
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      throw new StartError(`METRICS_PORT ${port} cannot be used: ${reason}`)
    },
  )
  return server
}
