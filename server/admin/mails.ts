import type { z } from 'zod'
import type { ListMails, MailPage } from '../../shared/installation.ts'
import type { Db } from '../foundation/database.ts'
import type { Outbox } from '../mail/outbox.ts'

/** Emails of one state or to one recipient, newest first. */
export async function listMails(
  db: Db,
  outbox: Pick<Outbox, 'preview' | 'hasMailServer'>,
  { state, to, cursor, limit }: z.output<typeof ListMails>,
): Promise<z.output<typeof MailPage>> {
  const stateFilter = {
    queued: { sentAt: null, rejectedAt: null },
    rejected: { sentAt: null, rejectedAt: { not: null } },
    sent: { sentAt: { not: null } },
    all: {},
  }[state]
  const mails = await db.mail.findMany({
    where: { ...stateFilter, ...(to !== undefined && to !== '' && { to }) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
    ...(cursor !== undefined && { cursor: { id: cursor }, skip: 1 }),
  })
  return {
    mails: mails.slice(0, limit).map(({ language, data, ...mail }) => {
      return { ...mail, ...outbox.preview({ kind: mail.kind, language, data }) }
    }),
    next: mails.length > limit ? (mails[limit - 1]?.id ?? null) : null,
    hasMailServer: outbox.hasMailServer,
  }
}
