import type { App } from '../../dependencies.ts'
import type { PgTransaction } from '../../foundation/transactions.ts'
import { composeMail } from '../../mail/mail.ts'
import type { BillingOwner } from '../billing-owner/billing-owner.ts'
import type { Notice } from '../objects/object.ts'
import { findRecipients } from './recipients.ts'

/** Notifies the user, or the owners of the organization, by email in the transaction of its cause. */
export async function notifyOwner(
  sql: PgTransaction,
  app: App,
  kind: Notice,
  owner: BillingOwner,
  { now, until }: { now: Date; until: Date | undefined },
): Promise<void> {
  for (const { about, slug, ...person } of await findRecipients(sql, owner)) {
    const link = `${app.config.appOrigin}${slug === null ? '/billing' : `/o/${slug}/billing`}`
    const mail = await app.outbox.prepare(
      composeMail(kind, person, { now, link, expiresAt: until, values: { about: about ?? person.name } }),
      now,
    )
    if (mail) await app.outbox.storePrepared(sql, mail)
  }
}
