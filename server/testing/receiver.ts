import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'

export type Certificate = { key: string; cert: string }

/** A certificate for localhost, valid for some days. */
export async function makeCertificate(): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  return { key: made.private, cert: made.cert }
}

export type Received = { headers: IncomingHttpHeaders; body: string }

/** A receiver of webhooks on its own https port. It stores the requests, and answers as configured. */
export async function startReceiver({ key, cert }: Certificate) {
  const received: Received[] = []
  let answer: (response: ServerResponse, what: Received) => void = (response) => response.writeHead(204).end()
  const server = createServer({ key, cert }, (request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const what = { headers: request.headers, body }
      received.push(what)
      answer(response, what)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://localhost:${port}/hook`,
    received,
    /** Parsed bodies of the received requests. */
    events: () => received.map(({ body }): ReturnType<typeof JSON.parse> => JSON.parse(body)),
    answerWith: (how: typeof answer) => void (answer = how),
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(done))
    },
  }
}
