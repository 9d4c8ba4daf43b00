import { setTimeout as wait } from 'node:timers/promises'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { isLoopback } from '../foundation/address.ts'

/** SMTP waits, in milliseconds: a server that hangs costs a worker these, and nobody else. */
const smtpWaits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** One delivery takes at most so long, however slowly its server answers. */
const deliveryMs = 50_000

/** A mail server, by its URL. */
export function openTransport(smtpUrl: string) {
  const transport = createTransport({ ...optionsOf(smtpUrl), ...smtpWaits })
  return {
    send: (mail: SendMailOptions) => within(deliveryMs, transport.sendMail(mail)),
    close: () => transport.close(),
  }
}

/**
 * How the mail server is reached. `smtp://` has to be upgraded by STARTTLS (RFC 3207) before anything is sent, unless the
 * server is on this machine or the URL says `?tls=off`.
 */
function optionsOf(smtpUrl: string) {
  const url = new URL(smtpUrl)
  const ignoreTLS = url.searchParams.get('tls') === 'off'
  url.searchParams.delete('tls')
  // A server on this machine may have a certificate that nobody has signed.
  const isLocal = isLoopback(url.hostname)
  const requireTLS = url.protocol === 'smtp:' && !ignoreTLS && !isLocal
  return { url: url.href, requireTLS, ignoreTLS, ...(isLocal && { tls: { rejectUnauthorized: false } }) }
}

/**
 * A permanent answer of the server (RFC 5321) to this sender, recipient or message: this mail will never go out. A
 * refused password or a missing STARTTLS is the operator's to mend, and every mail waits for it.
 */
export function isRefusedPermanently(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return false
  return Number(error.responseCode) >= 500 && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE')
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const over = new AbortController()
  const late = wait(milliseconds, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error('The mail server took too long')
  })
  late.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}
