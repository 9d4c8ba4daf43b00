import type { App } from '../context.ts'
import type { Tx } from '../foundation/db.ts'
import { paymentMail, type paymentMails } from './mails.ts'
import type { Owner } from './owners.ts'

/** Tells whoever may act for the owner: the person, or the owners of the organization. */
export async function notifyOf(
  tx: Tx,
  app: App,
  kind: keyof typeof paymentMails,
  owner: Owner,
  now: Date,
): Promise<void> {
  const people =
    'userId' in owner
      ? await tx.user.findMany({ where: { id: owner.userId } })
      : await tx.user.findMany({
          where: { members: { some: { organizationId: owner.organizationId, role: { contains: 'owner' } } } },
          take: 20,
        })
  const organization =
    'organizationId' in owner ? await tx.organization.findUnique({ where: { id: owner.organizationId } }) : null
  const link = `${app.config.appOrigin}${organization ? `/o/${organization.slug}/billing` : '/billing'}`
  for (const person of people) {
    const mail = paymentMail(kind, person, { now, link, values: { about: organization?.name ?? person.name } })
    await app.outbox.enqueue(tx, mail, now)
  }
}
