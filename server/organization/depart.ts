import type { Context } from '../request/context.ts'
import { recordAll, type NewEvent } from '../event/record.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { composeMail } from '../mail/mail.ts'

/** An organization of which a user is the only owner: with whom else in it, and who would be the next owner. */
type OwnedAlone = {
  id: string
  name: string
  slug: string
  others: number
  nextOwnerId: string | null
}

/** What a departing user's organizations mean: deleted with the user, or in the way until somebody else owns them. */
export type Departure = {
  memberships: number
  /** The user is their only member. */
  alone: { name: string; slug: string }[]
  /** Others belong to them, and nobody else owns them. */
  blocked: { name: string; slug: string }[]
}

/** What deleting this user would do to organizations. */
export async function previewDeparture(tx: Tx, userId: string): Promise<Departure> {
  const memberships = await tx.member.count({ where: { userId } })
  const owned = await findOwnedAlone(tx, userId)
  const named = (rows: OwnedAlone[]) => rows.map(({ name, slug }) => ({ name, slug }))
  return {
    memberships,
    alone: named(owned.filter(({ others }) => others === 0)),
    blocked: named(owned.filter(({ others }) => others > 0)),
  }
}

/**
 * Before a user is deleted: an organization of which nobody else is a member is deleted along; one that others belong to and
 * nobody else owns holds the user back, or with `handsOver` goes to its longest-standing administrator, else member. Every
 * organization of the user is locked before anything is judged, so that neither two last owners leave at once nor somebody
 * goes who is being made the owner (SEC-85).
 */
export async function departFromOrganizations(
  tx: Tx,
  ctx: Context,
  user: { id: string; name: string },
  { actorId, handsOver }: { actorId: string | null; handsOver: boolean },
): Promise<void> {
  // The user first and the organizations then, in every transaction: so that no two wait for each other.
  await tx.$queryRaw`select 1 from "User" where id = ${user.id} for no key update`
  await tx.$queryRaw`
    select o.id from "Organization" o
    where exists (select from "Member" m where m."organizationId" = o.id and m."userId" = ${user.id})
    order by o.id for update`
  const owned = await findOwnedAlone(tx, user.id)
  const shared = owned.filter(({ others }) => others > 0)
  if (shared.length > 0 && !handsOver) refuse('YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER')
  const alone = owned.filter(({ others }) => others === 0)
  const members = await tx.member.findMany({ where: { userId: user.id } })
  await tx.organization.deleteMany({ where: { id: { in: alone.map(({ id }) => id) } } })
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

/** The next owner of an organization whose only owner leaves, notified by mail. */
async function handOver(
  tx: Tx,
  ctx: Context,
  { id, name, slug, nextOwnerId }: OwnedAlone,
  from: { id: string; name: string },
) {
  if (nextOwnerId === null) return
  const { user } = await tx.member.update({
    where: { id: nextOwnerId },
    data: { role: 'owner' },
    include: { user: true },
  })
  const data = { from: from.id, to: user.id }
  await recordAll(tx, ctx, [
    { type: 'organization.ownership_transferred', subjectId: user.id, organizationId: id, data },
  ])
  const values = { organization: name, role: 'owner', actor: from.name }
  const cause = { now: ctx.now, link: `${ctx.config.appOrigin}/o/${slug}`, values }
  await ctx.outbox.enqueue(tx, composeMail('ownershipReceived', user, cause), ctx.now)
}

async function findOwnedAlone(tx: Tx, userId: string): Promise<OwnedAlone[]> {
  return tx.$queryRaw<OwnedAlone[]>`
    select o.id, o.name, o.slug,
      (select count(*)::int from "Member" m where m."organizationId" = o.id and m."userId" <> ${userId}) as others,
      (select m.id from "Member" m where m."organizationId" = o.id and m."userId" <> ${userId}
        order by 'admin' = any(string_to_array(m.role, ',')) desc, m."createdAt", m.id limit 1) as "nextOwnerId"
    from "Member" me join "Organization" o on o.id = me."organizationId"
    where me."userId" = ${userId} and 'owner' = any(string_to_array(me.role, ','))
      and not exists (select from "Member" other where other."organizationId" = o.id and other."userId" <> ${userId}
        and 'owner' = any(string_to_array(other.role, ',')))
    order by o.name, o.id`
}
