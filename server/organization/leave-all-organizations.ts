import { type NewEvent } from '../event/event-rows.ts'
import { recordAll } from '../event/record.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { displayEmail } from '../foundation/verified-email.ts'
import { composeMail, organizationAvatar } from '../mail/mail.ts'
import {
  findOngoingSubscriptions,
  queueForAssignment,
  type OngoingSubscription,
  refuseOngoingSubscriptions,
} from '../purchase/ongoing-subscriptions.ts'
import { withProductNames } from '../purchase/product-names.ts'
import type { Context } from '../request/context.ts'
import { lockUser } from '../session/locks.ts'
import { countMemberships, listMemberships, makeOwner } from './members.ts'
import { removeOrganizations } from './organizations.ts'
import { findSoleOwnerships, lockOrganizationsOf, type SoleOwnership } from './sole-ownerships.ts'

/**
 * The effect of a user's deletion on organizations: those deleted with the user, and those that prevent the deletion
 * until they have another owner.
 */
export type Leaving = {
  memberships: number
  /** Organizations with no other member. */
  deletedOrganizations: { name: string; slug: string }[]
  /** Organizations with other members, but no other owner. */
  organizationsWithoutOtherOwner: { name: string; slug: string }[]
  /** Subscriptions of the user, and of organizations with no other member, that prevent the deletion until they end. */
  subscriptions: (OngoingSubscription & { productName: string | null; slug: string | null })[]
}

/** Returns how deleting this user would affect organizations. */
export async function previewLeaving(db: Db, userId: string): Promise<Leaving> {
  const memberships = await countMemberships(db, userId)
  const owned = await findSoleOwnerships(db, userId)
  const withoutOthers = owned.filter(({ others }) => others === 0)
  const ongoing = await findOngoingSubscriptions(db, { userId, organizationIds: withoutOthers.map(({ id }) => id) })
  const named = (rows: SoleOwnership[]) => rows.map(({ name, slug }) => ({ name, slug }))
  return {
    memberships,
    deletedOrganizations: named(withoutOthers),
    subscriptions: (await withProductNames(db, ongoing)).map((row) => ({
      ...row,
      slug: withoutOthers.find(({ id }) => id === row.organizationId)?.slug ?? null,
    })),
    organizationsWithoutOtherOwner: named(owned.filter(({ others }) => others > 0)),
  }
}

/**
 * Prepares organizations for a user's deletion. Those without other members are deleted; those with other members but
 * no other owner prevent the deletion or, with `transfersOwnership`, pass to the longest-standing administrator, else
 * member. Locks all organizations of the user first, so that two last owners cannot leave concurrently, and no user is
 * deleted while being made an owner (SEC-85).
 */
export async function leaveAllOrganizations(
  tx: Tx,
  ctx: Context,
  user: { id: string; name: string },
  { actorId, transfersOwnership }: { actorId: string | null; transfersOwnership: boolean },
): Promise<void> {
  // Every transaction locks the user before the organizations, to avoid deadlocks.
  await lockUser(tx, user.id)
  await lockOrganizationsOf(tx, user.id)
  const owned = await findSoleOwnerships(tx, user.id)
  const shared = owned.filter(({ others }) => others > 0)
  if (shared.length > 0 && !transfersOwnership) refuse('YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER')
  const alone = owned.filter(({ others }) => others === 0)
  const owners = { userId: user.id, organizationIds: alone.map(({ id }) => id) }
  if (!transfersOwnership) await refuseOngoingSubscriptions(tx, owners)
  else if ((await queueForAssignment(tx, owners, ctx.now)) > 0) {
    ctx.log.warn({ userId: user.id }, 'subscriptions of a deleted account wait for an administrator')
  }
  const members = await listMemberships(tx, user.id)
  await removeOrganizations(tx, owners.organizationIds)
  const deleted = new Set(alone.map(({ id }) => id))
  const events = [
    ...alone.map(({ id, name, slug }): NewEvent => {
      return { type: 'organization.deleted', actorId, subjectId: user.id, organizationId: id, data: { name, slug } }
    }),
    ...members
      .filter(({ organizationId }) => !deleted.has(organizationId))
      .map(({ id: memberId, organizationId, role }): NewEvent => {
        const about = { actorId, subjectId: user.id, organizationId }
        return { type: 'member.left', ...about, data: { userId: user.id, memberId, role } }
      }),
  ]
  await recordAll(tx, ctx, events)
  for (const organization of shared) await handOver(tx, ctx, organization, user)
}

/** Transfers an organization to its next owner, who is notified by email, when its only owner leaves. */
async function handOver(
  tx: Tx,
  ctx: Context,
  { id, name, slug, logo, nextOwnerId }: SoleOwnership,
  from: { id: string; name: string },
) {
  if (nextOwnerId === null) return
  const user = await makeOwner(tx, nextOwnerId)
  const data = { from: from.id, to: user.id }
  await recordAll(tx, ctx, [
    { type: 'organization.ownership_transferred', subjectId: user.id, organizationId: id, data },
  ])
  const values = { organization: name, role: 'owner', actor: from.name }
  const { appOrigin } = ctx.config
  const mailContext = {
    now: ctx.now,
    link: `${appOrigin}/o/${slug}`,
    avatar: organizationAvatar({ id, logo }, appOrigin),
    values,
  }
  await ctx.outbox.enqueue(
    tx,
    composeMail('ownershipReceived', { ...user, email: displayEmail(user) }, mailContext),
    ctx.now,
  )
}
