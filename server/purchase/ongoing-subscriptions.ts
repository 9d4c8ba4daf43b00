import { Prisma } from '../../prisma/client/client.ts'
import { ongoingStatuses } from '../../shared/payment.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { lockForDeletion } from '../session/locks.ts'
import { hasPurchasesOfOthersSql, isOfAnotherUserSql } from './purchases-of-others.ts'

/** Owners whose subscriptions are checked. */
type Owners = { userId?: string; organizationIds?: readonly string[] }

export type OngoingSubscription = {
  id: string
  productId: string
  nextBillingDate: Date | null
  organizationId: string | null
}

const hasPurchasesOfAnotherUserSql = Prisma.raw(hasPurchasesOfOthersSql('c."customerId"', isOfAnotherUserSql('u.id')))

/**
 * Subscriptions that will be charged again. Excludes those that end at their next billing date. For a user, also those
 * without an owner that were bought with the user's verified email address, which the user sees and can cancel.
 */
export async function findOngoingSubscriptions(
  db: Db,
  { userId, organizationIds = [] }: Owners,
): Promise<OngoingSubscription[]> {
  return db.$queryRaw<OngoingSubscription[]>`
    select "subscriptionId" as id, "productId", "nextBillingDate", "organizationId" from "Subscription"
    where ("userId" = ${userId ?? null} or "organizationId" in (${Prisma.join(['', ...organizationIds])})
        or ("userId" is null and "organizationId" is null and "customerId" in (
          select c."customerId" from "User" u join "Customer" c on c.email = u.email
          where u.id = ${userId ?? null} and u."emailVerified" and c."userId" is null and c."organizationId" is null
            -- Purchases of another owner hide the customer from the user, who could not cancel then.
            and not ${hasPurchasesOfAnotherUserSql})))
      and status in (${Prisma.join([...ongoingStatuses])}) and not "cancelAtNextBillingDate"
    order by "createdAt", "subscriptionId"`
}

/**
 * Refuses to delete owners whose subscriptions would still be charged. Their rows are locked first, because events of
 * the payment provider lock the owner of a subscription until they have committed.
 */
export async function refuseOngoingSubscriptions(tx: Tx, owners: Owners): Promise<void> {
  const { userId, organizationIds = [] } = owners
  if (userId !== undefined) await lockForDeletion(tx, userId)
  if (organizationIds.length > 0) {
    await tx.$queryRaw`
      select 1 from "Organization" where id in (${Prisma.join([...organizationIds])}) order by id for update`
  }
  const [ongoing] = await findOngoingSubscriptions(tx, owners)
  if (ongoing) refuse('SUBSCRIPTION_MUST_END_FIRST', { id: ongoing.id })
}

/**
 * Puts subscriptions on the administrators' list of unassigned events, with their last reported state, because their
 * owner is deleted without confirmation: the owner of the mailbox takes over an account whose email address was never
 * verified. The subscriptions are charged until an administrator assigns them. Returns how many there are.
 */
export async function queueForAssignment(tx: Tx, owners: Owners, now: Date): Promise<number> {
  // Events of the provider, which lock the owner, have either committed, or wait and then find it deleted.
  if (owners.userId !== undefined) await lockForDeletion(tx, owners.userId)
  const ongoing = await findOngoingSubscriptions(tx, owners)
  return tx.$executeRaw`
    insert into "PaymentEvent" (id, type, "occurredAt", "receivedAt", payload, "subjectId", "customerId", "subscriptionId", state)
    select 'owner-deleted-' || "subscriptionId", 'subscription.updated', "eventAt", ${now},
      jsonb_build_object('type', 'subscription.updated', 'data', payload,
        'timestamp', to_char("eventAt" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
      "subscriptionId", nullif("customerId", ''), "subscriptionId", 'unassigned'
    from "Subscription" where "subscriptionId" = any(${ongoing.map(({ id }) => id)}::text[])
    on conflict (id) do update set state = 'unassigned', "appliedAt" = null, "receivedAt" = excluded."receivedAt"`
}
