import type { App } from './context.ts'
import { firstEventId } from './event/record.ts'

/** Rows that one statement removes, so that no sweep holds locks for long (REL-13). */
const batch = 500

/** Mails are kept for a month: long enough to answer "did you send it?". */
const mailDays = 30

/** What became of an invitation is kept for a quarter of a year; every answer about an organization carries them all. */
const invitationDays = 90

/** An account waits a month for its verification. */
const unverifiedDays = 30

/** Removes what is over, in small batches, each a statement of its own. */
export async function sweep(app: App): Promise<void> {
  const { db, config } = app
  const now = app.clock()
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000)
  const month = before(mailDays)
  const quarter = before(invitationDays)
  await inBatches(
    () => db.$executeRaw`
    delete from "Session" where id in (select id from "Session" where "expiresAt" <= ${now} limit ${batch})`,
  )
  await inBatches(
    () => db.$executeRaw`
    delete from "Verification" where id in (select id from "Verification" where "expiresAt" <= ${now} limit ${batch})`,
  )
  await inBatches(
    () => db.$executeRaw`
    delete from "Limit" where key in (select key from "Limit" where "expiresAt" <= ${now} limit ${batch})`,
  )
  await inBatches(
    () => db.$executeRaw`
    delete from "PendingCheckout" where id in (select id from "PendingCheckout" where "expiresAt" <= ${now} limit ${batch})`,
  )
  await inBatches(
    () => db.$executeRaw`
    delete from "Invitation" where id in (
      select id from "Invitation" where "createdAt" <= ${quarter} and (status <> 'pending' or "expiresAt" <= ${now}) limit ${batch})`,
  )
  await inBatches(
    () => db.$executeRaw`
    delete from "Mail" where id in (select id from "Mail" where "createdAt" <= ${month} limit ${batch})`,
  )
  const firstKept = firstEventId(before(config.eventRetentionDays))
  await inBatches(
    () => db.$executeRaw`
    delete from "Event" where id in (select id from "Event" where id < ${firstKept} order by id limit ${batch})`,
  )
  await sweepUnverified(app, before(unverifiedDays), now)
  await reducePayloads(app, before(config.payloadRetentionDays))
}

/**
 * Accounts that were never verified go with what they left: organizations that they own alone, and by the database's cascades
 * sessions, sign-in methods, memberships and invitations. One that owns an organization with other members stays, and so does
 * one that had a verified address before, made a purchase, or signed in by a provider within the month.
 */
async function sweepUnverified({ db, log }: App, before: Date, now: Date): Promise<void> {
  await inBatches(async () => {
    const users = await db.$queryRaw<{ id: string }[]>`
      select id from "User" u
      where not "emailVerified" and "createdAt" <= ${before} and "previousEmail" is null and role = 'user'
        and not exists (select from "Session" s where s."userId" = u.id and s."expiresAt" > ${now})
        and not exists (select from "Account" a where a."userId" = u.id and a."providerId" <> 'credential' and a."updatedAt" > ${before})
        and not exists (select from "Payment" p where p."userId" = u.id)
        and not exists (select from "Subscription" p where p."userId" = u.id)
        and not exists (
          select from "Member" me join "Member" other on other."organizationId" = me."organizationId"
          where me."userId" = u.id and other."userId" <> u.id and 'owner' = any(string_to_array(me.role, ',')))
      order by "createdAt" limit ${batch}`
    const ids = users.map(({ id }) => id)
    if (ids.length === 0) return 0
    // Each condition once more in the deleting statement: an account may be verified between the two.
    await db.$executeRaw`
      delete from "Organization" o using "Member" me, "User" u
      where me."organizationId" = o.id and u.id = me."userId" and u.id = any(${ids}) and not u."emailVerified"
        and not exists (select from "Member" other where other."organizationId" = o.id and other."userId" <> u.id)`
    const deleted = await db.$executeRaw`delete from "User" where id = any(${ids}) and not "emailVerified"`
    log.info({ deleted }, 'accounts that were never verified swept')
    return ids.length
  })
}

/** Payloads of old payment events keep what the screens need: what the event is about, and its amount and state. */
async function reducePayloads({ db }: App, before: Date): Promise<void> {
  await inBatches(
    () => db.$executeRaw`
    update "WebhookEvent" set payload = jsonb_build_object('type', type, 'timestamp', payload->'timestamp', 'isReduced', true)
    where id in (
      select id from "WebhookEvent" where "receivedAt" <= ${before} and "appliedAt" is not null
        and not payload ? 'isReduced' order by "receivedAt" limit ${batch})`,
  )
}

async function inBatches(removeSome: () => Promise<number>): Promise<void> {
  while ((await removeSome()) === batch);
}
