import type { App } from '../dependencies.ts'
import type { Sql } from '../foundation/transactions.ts'
import { type Addressee, composeMail } from '../mail/mail.ts'
import type { Notice } from './objects/object.ts'
import { columnsOf, type Owner } from './owner.ts'

/** Maximum number of an organization's owners that are notified. */
const maxNotified = 20

/** Notifies the user, or the owners of the organization, by email in the transaction of its cause. */
export async function notifyOwner(
  sql: Sql,
  app: App,
  kind: Notice,
  owner: Owner,
  { now, until }: { now: Date; until: Date | undefined },
): Promise<void> {
  const { userId, organizationId } = columnsOf(owner)
  const { rows } = await sql.query<Addressee & { about: string | null; slug: string | null }>({
    name: 'payments.recipients',
    text: `
      select case when u."emailVerified" then u.email else coalesce(u."previousEmail", u.email) end as email, u.name, u.language, o.name as about, o.slug
      from "User" u left join "Organization" o on o.id = $2
      where u.id = $1 or u.id in (
        select m."userId" from "Member" m where m."organizationId" = $2 and 'owner' = any(string_to_array(m.role, ',')))
      order by u.id limit ${maxNotified}`,
    values: [userId, organizationId],
  })
  for (const { about, slug, ...person } of rows) {
    const link = `${app.config.appOrigin}${slug === null ? '/billing' : `/o/${slug}/billing`}`
    const mail = await app.outbox.prepare(
      composeMail(kind, person, { now, link, expiresAt: until, values: { about: about ?? person.name } }),
      now,
    )
    if (mail) await app.outbox.storePrepared(sql, mail)
  }
}
