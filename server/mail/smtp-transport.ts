import { setTimeout as wait } from 'node:timers/promises'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { isLoopback } from '../foundation/ip-address.ts'

/** Maximum duration of one delivery in milliseconds, however slowly the server responds. */
const deliveryMs = 50_000

/**
 * SMTP timeouts in milliseconds. A hanging server blocks only the worker that is using it. A server may take its time
 * to accept an email that it has fully received (RFC 5321, 4.5.3.2.6): giving up earlier would send the recipient a
 * second copy.
 */
const smtpWaits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: deliveryMs }

/** Creates a transport to the mail server at this URL. */
export function createMailTransport(smtpUrl: string) {
  const transport = createTransport({ ...optionsOf(smtpUrl), ...smtpWaits })
  return {
    send: (mail: SendMailOptions) => withTimeout(deliveryMs, transport.sendMail(mail)),
    close: () => transport.close(),
  }
}

/**
 * Connection options for the mail server. `smtp://` requires STARTTLS (RFC 3207) before anything is sent, unless the
 * server is on this machine or the URL contains `?tls=off`.
 */
function optionsOf(smtpUrl: string) {
  const url = new URL(smtpUrl)
  const ignoreTLS = url.searchParams.get('tls') === 'off'
  url.searchParams.delete('tls')
  // A server on this machine may have a self-signed certificate.
  const isLocal = isLoopback(url.hostname)
  const requireTLS = url.protocol === 'smtp:' && !ignoreTLS && !isLocal
  return { url: url.href, requireTLS, ignoreTLS, ...(isLocal && { tls: { rejectUnauthorized: false } }) }
}

/**
 * Whether the server permanently rejected the sender, recipient or message (RFC 5321), which makes retries pointless. A
 * rejected password or missing STARTTLS is for the operator to fix; all emails wait until then.
 */
export function isRefusedPermanently(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return false
  return Number(error.responseCode) >= 500 && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE')
}

async function withTimeout<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const over = new AbortController()
  const late = wait(milliseconds, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error('Timed out waiting for the mail server')
  })
  late.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}
