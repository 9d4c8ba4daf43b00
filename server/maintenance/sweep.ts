import { Prisma } from '../../prisma/client/client.ts'
import { refreshDecoys } from '../account/refresh-decoys.ts'
import { unverifiedDays } from '../account/users.ts'
import type { App } from '../dependencies.ts'
import { firstEventId } from '../event/event-ids.ts'
import { originWithoutRequest, recordAll } from '../event/record.ts'
import { daysBefore } from '../foundation/time.ts'
import { transaction } from '../foundation/transactions.ts'
import { endConsentsOfDeletedOrganizations } from '../oauth/end-consents.ts'
import { deleteUnusedPictures } from '../picture/pictures.ts'
import { removeLostFactors } from '../two-factor/remove-lost-factors.ts'

/** Maximum rows deleted per statement, so that no sweep holds locks for long (REL-13). */
const batch = 500

/** Days to keep emails: long enough to answer "did you send it?". */
const mailDays = 30

/** Days to keep answered and expired invitations. Every response about an organization includes them. */
const invitationDays = 90

/** Days to keep deliveries to webhook endpoints. */
const deliveryDays = 30

/** Days to keep a picture that is not in use, so that there is time to save the form in which it was chosen. */
const pictureDays = 1

/**
 * Deletes expired data in small batches, each in its own statement. A table that cannot be swept does not prevent the
 * others from being swept: the failure is thrown at the end.
 */
export async function sweep(app: App): Promise<void> {
  const failures: unknown[] = []
  for (const step of stepsOf(app)) {
    await step().catch((error: unknown) => {
      app.log.warn({ err: error }, 'table not swept')
      failures.push(error)
    })
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not everything was swept')
}

function stepsOf(app: App): (() => Promise<unknown>)[] {
  const { db, config } = app
  const now = app.clock()
  const before = (days: number) => daysBefore(now, days)
  const month = before(mailDays)
  const quarter = before(invitationDays)
  const firstRetained = firstEventId(before(config.eventRetentionDays))
  // The id of a delivery begins with the id of its event.
  const firstDelivery = [firstRetained, firstEventId(before(deliveryDays))].toSorted().at(-1)
  const each = (removeSome: () => Promise<number>) => () => inBatches(removeSome)
  return [
    each(
      () => db.$executeRaw`
      delete from "Session" where id in (select id from "Session" where "expiresAt" <= ${now} limit ${batch})`,
    ),
    each(
      () => db.$executeRaw`
      delete from "Verification" where id in (select id from "Verification" where "expiresAt" <= ${now} limit ${batch})`,
    ),
    each(
      () => db.$executeRaw`
      delete from "Limit" where key in (select key from "Limit" where "expiresAt" <= ${now} limit ${batch})`,
    ),
    each(
      () => db.$executeRaw`
      delete from "ProviderRequest" where id in (select id from "ProviderRequest" where "expiresAt" <= ${now} limit ${batch})`,
    ),
    each(
      () => db.$executeRaw`
      delete from "Invitation" where id in (
        select id from "Invitation" where "createdAt" <= ${quarter} and (status <> 'pending' or "expiresAt" <= ${now}) limit ${batch})`,
    ),
    each(
      () => db.$executeRaw`
      delete from "Mail" where id in (select id from "Mail" where "createdAt" <= ${month} limit ${batch})`,
    ),
    each(
      () => db.$executeRaw`
      delete from "OAuthArtifact" where id in (
        select id from "OAuthArtifact" where "expiresAt" <= ${now} limit ${batch})`,
    ),
    // The organization of a consent is not a reference, because most consents name none.
    () => endConsentsOfDeletedOrganizations(app, { now, batch }),
    each(() => deleteUnusedPictures(db, { before: before(pictureDays), limit: batch })),
    each(
      () => db.$executeRaw`
      delete from "Event" where id in (select id from "Event" where id < ${firstRetained} order by id limit ${batch})`,
    ),
    each(
      () => db.$executeRaw`
      delete from "WebhookDelivery" where id in (
        select id from "WebhookDelivery" where id < ${firstDelivery} order by id limit ${batch})`,
    ),
    () => sweepDeliveries(db),
    () => sweepUnverified(app, { before: before(unverifiedDays), since: before(config.eventRetentionDays) }),
    () => refreshDecoys(app),
    () => removeLostFactors(app),
  ]
}

/** Deletes deliveries to endpoints that have been deleted. */
async function sweepDeliveries(db: App['db']): Promise<void> {
  for (const { endpointId } of await deliveriesWithoutEndpoint(db)) {
    await inBatches(
      () => db.$executeRaw`
      delete from "WebhookDelivery" where id in (select id from "WebhookDelivery" where "endpointId" = ${endpointId} limit ${batch})`,
    )
  }
}

/**
 * Deleted endpoints that still have deliveries. Skips from one endpoint to the next in the index, regardless of the
 * number of rows of each.
 */
async function deliveriesWithoutEndpoint(db: App['db']): Promise<{ endpointId: string }[]> {
  return db.$queryRaw`
    with recursive step as (
      (select "endpointId" from "WebhookDelivery" order by "endpointId" limit 1)
      union all
      select (select d."endpointId" from "WebhookDelivery" d where d."endpointId" > step."endpointId" order by d."endpointId" limit 1)
      from step where step."endpointId" is not null)
    select "endpointId" from step
    where "endpointId" is not null and not exists (select from "WebhookEndpoint" e where e.id = step."endpointId")`
}

/** Maximum accounts checked per page, and deleted per transaction: each deletion may cascade to other tables. */
const unverifiedPage = 1_000
const accountBatch = 50

/**
 * Deletes accounts that signed up a month ago and were never verified or signed in to. Accounts that were used are kept,
 * verified or not, because their owners would lose data. Banned accounts are kept, because their address would become
 * available. Accounts that signed up before the oldest retained event are kept too, as their history is unknown.
 */
async function sweepUnverified(app: App, { before, since }: { before: Date; since: Date }): Promise<void> {
  let last: { id: string; createdAt: Date } | undefined = { id: '', createdAt: since }
  while (last !== undefined) {
    const page: { id: string; createdAt: Date }[] = await app.db.$queryRaw`
      select id, "createdAt" from "User" where not "emailVerified" and "createdAt" <= ${before}
        and ("createdAt", id) > (${last.createdAt}::timestamptz, ${last.id}) order by "createdAt", id limit ${unverifiedPage}`
    const ids = page.map(({ id }) => id)
    while ((await deleteUnused(app, ids)) === accountBatch);
    last = page[unverifiedPage - 1]
  }
}

/** Deletes the accounts among these that were never used. Returns how many were found. */
async function deleteUnused(app: App, among: string[]): Promise<number> {
  const origin = originWithoutRequest(app)
  const unused = Prisma.sql`not "emailVerified" and "previousEmail" is null and "bannedAt" is null
    and exists (select from "Event" e where e."subjectId" = u.id and e.type = 'user.signed_up')
    and not exists (select from "Event" e where e."subjectId" = u.id and e.type = 'user.signed_in')
    and not exists (select from "Session" s where s."userId" = u.id)
    and not exists (select from "Member" m where m."userId" = u.id)`
  return transaction(app, async (tx) => {
    const found = await tx.$queryRaw<{ id: string }[]>`
      select id from "User" u where id = any(${among}) and ${unused} limit ${accountBatch} for update skip locked`
    // Checks again under the locks: a user may have signed in while the first statement waited.
    const ids = found.map(({ id }) => id)
    const users = await tx.$queryRaw<{ id: string; email: string }[]>`
      select id, email from "User" u where id = any(${ids}) and ${unused}`
    await tx.user.deleteMany({ where: { id: { in: users.map(({ id }) => id) } } })
    await recordAll(
      tx,
      origin,
      users.map(({ id, email }) => ({ type: 'user.deleted', subjectId: id, data: { email } })),
    )
    return found.length
  })
}

/**
 * Reduces payloads of old, applied payment events to type and time. The rows that they were applied to keep the
 * details.
 */
export async function reducePayloads({ db, config, clock }: App): Promise<void> {
  const before = daysBefore(clock(), config.payloadRetentionDays)
  await inBatches(
    () => db.$executeRaw`
    update "PaymentEvent" set payload = jsonb_build_object('type', type, 'timestamp', payload->'timestamp', 'isReduced', true)
    where id in (
      select id from "PaymentEvent" where "receivedAt" <= ${before} and state in ('applied', 'dismissed')
        and not (payload ? 'isReduced') order by "receivedAt" limit ${batch})`,
  )
}

async function inBatches(removeSome: () => Promise<number>): Promise<void> {
  while ((await removeSome()) === batch);
}
