import { setTimeout as wait } from 'node:timers/promises'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/** An SMTP server that stores the received emails. */
export async function startSmtpServer(port = 0, { delayMs = 0, host = '127.0.0.1' } = {}) {
  const received: ParsedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, _session, done) {
      received.push(await simpleParser(stream))
      await wait(delayMs)
      done()
    },
  })
  await new Promise<void>((done) => server.listen(port, host, done))
  const address = server.server.address()
  const url = `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  return { received, url, close: () => new Promise<void>((done) => server.close(done)) }
}
