import type { Db } from '../foundation/database.ts'
import { type MailCodec, withoutLinks } from './mail-codec.ts'
import { claimMail, isMailQueued, markMailSent, markMailFailed } from './mail-rows.ts'
import { isRefusedPermanently, type createMailTransport } from './smtp-transport.ts'

/** How long a worker claims an email: longer than a delivery takes, so that no email is sent twice. */
const claimMs = 60_000

type Deps = { db: Db; transport: ReturnType<typeof createMailTransport>; codec: MailCodec; from: string }

/**
 * Sends an email unless it has been sent already. Throws if the server rejects it, or if another worker, which may
 * have ended since, has claimed it. The job is then retried.
 */
export async function deliverMail(
  { db, transport, codec, from }: Deps,
  id: string,
  now: Date,
): Promise<'sent' | 'rejected' | 'not due'> {
  const mail = await claimMail(db, id, { now, until: new Date(now.getTime() + claimMs) })
  if (!mail) {
    if (await isMailQueued(db, id)) throw new Error('Another worker may still be sending this email')
    return 'not due'
  }
  try {
    const { subject, html, text } = codec.read(mail)
    // The recipient is passed as a single email address, never parsed as an address list (SEC-11).
    const to = { name: '', address: mail.to }
    const headers = { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': mail.id }
    await transport.send({ from, to, subject, html, text, headers, messageId: `<${mail.id}@${domainOf(from)}>` })
  } catch (error) {
    const failure = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
    const isFinal = isRefusedPermanently(error)
    await markMailFailed(db, id, { failure, rejectedAt: isFinal ? now : undefined })
    if (isFinal) return 'rejected'
    throw error
  }
  await markMailSent(db, id, { data: withoutLinks(mail.data), now })
  return 'sent'
}

/** The domain of the sender, as in "Foyer <no-reply@example.com>", for message ids (RFC 5322, 3.6.4). */
function domainOf(from: string): string {
  return /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
}
