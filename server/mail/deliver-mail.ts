import type { Tx } from '../foundation/database.ts'
import { isRefusedPermanently, type openTransport } from './delivery.ts'
import { type MailReader, withoutLinks } from './reader.ts'

/** How long a worker claims an email: longer than a delivery takes, so that no email is sent twice. */
const claimMs = 60_000

type Deps = { db: Tx; transport: ReturnType<typeof openTransport>; reader: MailReader; from: string }

/**
 * Sends an email unless it has been sent already. Throws if the server rejects it, or if another worker, which may
 * have ended since, has claimed it. The job is then retried.
 */
export async function deliverMail(
  { db, transport, reader, from }: Deps,
  id: string,
  now: Date,
): Promise<'sent' | 'given up' | 'not due'> {
  const claimedUntil = new Date(now.getTime() + claimMs)
  const [mail] = await db.mail.updateManyAndReturn({
    where: { id, deliveredAt: null, givenUpAt: null, OR: [{ claimedUntil: null }, { claimedUntil: { lt: now } }] },
    data: { claimedUntil },
  })
  if (!mail) {
    const isClaimed = await db.mail.count({ where: { id, deliveredAt: null, givenUpAt: null } })
    if (isClaimed > 0) throw new Error('Another worker may still be sending this email')
    return 'not due'
  }
  try {
    const { subject, html, text } = reader.read(mail)
    // The recipient is passed as a single email address, never parsed as an address list (SEC-11).
    const to = { name: '', address: mail.to }
    const headers = { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': mail.id }
    await transport.send({ from, to, subject, html, text, headers, messageId: `<${mail.id}@${domainOf(from)}>` })
  } catch (error) {
    const failure = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
    const isFinal = isRefusedPermanently(error)
    await db.mail.updateMany({
      where: { id },
      data: { claimedUntil: null, failure, ...(isFinal && { givenUpAt: now }) },
    })
    if (isFinal) return 'given up'
    throw error
  }
  const data = withoutLinks(mail.data)
  await db.mail.updateMany({ where: { id }, data: { deliveredAt: now, claimedUntil: null, failure: null, data } })
  return 'sent'
}

/** The domain of the sender, as in "Foyer <no-reply@example.com>", for message ids (RFC 5322, 3.6.4). */
function domainOf(from: string): string {
  return /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
}
