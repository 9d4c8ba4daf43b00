import type { Pool } from 'pg'
import type { z } from 'zod'
import { Prisma, type User } from '../../prisma/client/client.ts'
import { normalizeEmail } from '../../shared/identity.ts'
import type { Member, MembersPage, MemberWithUser, SearchMembers } from '../../shared/organization.ts'
import { isOwner, roles, rolesOf } from '../../shared/permissions.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { containing, withRelation } from '../foundation/lists.ts'
import { hasRoleSql } from '../foundation/member-roles.ts'
import { statement } from '../foundation/statement.ts'
import { hasVerifiedEmail, displayEmail } from '../foundation/verified-email.ts'
import { deleteKeysOfMember } from '../token/api-keys.ts'

/** Selects the user that is returned with every member. */
const withUser = {
  user: { select: { id: true, name: true, email: true, image: true, emailVerified: true, previousEmail: true } },
} as const

type StoredMember = Member & {
  user: MemberWithUser['user'] & { emailVerified: boolean; previousEmail: string | null }
}

/**
 * Converts a member to what others see. An unverified email address proves no identity: the last verified one is shown
 * instead, and an address of a user who never verified one is flagged (SEC-121).
 */
function toMember({ user: stored, ...member }: StoredMember): MemberWithUser {
  const { emailVerified: _verified, previousEmail: _previous, ...user } = stored
  return {
    ...member,
    user: { ...user, email: displayEmail(stored), ...(!hasVerifiedEmail(stored) && { emailVerified: false }) },
  }
}

/** Members whose user was deleted while they were read are omitted. */
const toMembers = (members: readonly StoredMember[]) => withRelation(members, 'user').map(toMember)

/** A membership, and the time from which its organization requires a second factor. */
type FoundMember = Member & { secondFactorFrom: Date | null }

/** Finds a user's membership: one prepared statement on a unique index, because every member call uses it. */
export async function findMembership(
  pool: Pool,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<FoundMember | undefined> {
  const { rows } = await pool.query<FoundMember>(byUser({ organizationId, userId }))
  return rows[0]
}

const byUser = statement(
  'members.find',
  `select m.id, m."organizationId", m."userId", m.role, m."teamId", m."createdAt", o."secondFactorFrom"
      from "Member" m join "Organization" o on o.id = m."organizationId"
      where m."organizationId" = :organizationId and m."userId" = :userId`,
)

/** The membership of a user, with the user. It stays as it is only while the organization is locked. */
export async function findMemberWithUser(
  db: Db,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<MemberWithUser | null> {
  const member = await db.member.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    include: withUser,
  })
  const [found = null] = toMembers(member ? [member] : [])
  return found
}

/** Matches a user by the email address that others see. */
function withVisibleEmail(email: string) {
  return { OR: [{ previousEmail: null, email }, { previousEmail: email }] }
}

/**
 * Finds a member of this organization only, by member id or, if the text contains @, by the user's email address
 * (SEC-44).
 */
export async function findMemberByIdOrEmail(
  tx: Tx,
  organizationId: string,
  idOrEmail: string,
): Promise<MemberWithUser | null> {
  const who = idOrEmail.includes('@') ? { user: withVisibleEmail(normalizeEmail(idOrEmail)) } : { id: idOrEmail }
  const member = await tx.member.findFirst({ where: { organizationId, ...who }, include: withUser })
  const [found = null] = toMembers(member ? [member] : [])
  return found
}

/** All memberships of a user. */
export async function listMemberships(tx: Tx, userId: string): Promise<Member[]> {
  return tx.member.findMany({ where: { userId } })
}

export async function countMemberships(db: Db, userId: string): Promise<number> {
  return db.member.count({ where: { userId } })
}

/** How many members an organization has. */
export async function countMembers(tx: Tx, organizationId: string): Promise<number> {
  return tx.member.count({ where: { organizationId } })
}

/** Counts the members with the owner role. Reliable only under the organization's lock. */
async function countOwners(tx: Tx, organizationId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ owners: number }[]>`
    select count(*)::int as owners from "Member" m
    where m."organizationId" = ${organizationId} and ${Prisma.raw(hasRoleSql('m', 'owner'))}`
  return row?.owners ?? 0
}

/** Returns whether the organization would have no owner without this member. */
export async function isOnlyOwner(tx: Tx, { organizationId, role }: Member): Promise<boolean> {
  return isOwner(role) && (await countOwners(tx, organizationId)) === 1
}

export async function deleteMember(tx: Tx, id: string): Promise<void> {
  await deleteKeysOfMember(tx, await tx.member.delete({ where: { id } }))
}

export async function setMemberRole(tx: Tx, id: string, role: string): Promise<Member> {
  return tx.member.update({ where: { id }, data: { role } })
}

/** Makes a member an owner. Returns the user, to be notified. */
export async function makeOwner(tx: Tx, id: string): Promise<User> {
  const { user } = await tx.member.update({ where: { id }, data: { role: 'owner' }, include: { user: true } })
  return user
}

export async function setTeam(tx: Tx, id: string, teamId: string | null): Promise<Member> {
  return tx.member.update({ where: { id }, data: { teamId } })
}

/** Members without an authenticator app and without a passkey. */
const lacksSecondFactor = { user: { twoFactorEnabled: false, passkeys: { none: {} } } }

/** Lists members without an authenticator app and without a passkey, in the order of joining. */
export async function listWithoutFactor(
  db: Db,
  { organizationId, limit, offset }: { organizationId: string; limit: number; offset: number },
): Promise<z.output<typeof MembersPage>> {
  const where = { organizationId, ...lacksSecondFactor }
  const [total, found] = await Promise.all([
    db.member.count({ where }),
    db.member.findMany({
      where,
      include: withUser,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      skip: offset,
      take: limit,
    }),
  ])
  return { members: toMembers(found), total }
}

/** Members without an authenticator app and without a passkey, by member id, with the data needed to email them. */
export async function membersToNotify(
  tx: Tx,
  { organizationId, after, limit, ids }: { organizationId: string; after: string; limit: number; ids?: string[] },
) {
  const user = {
    select: { name: true, email: true, emailVerified: true, previousEmail: true, language: true },
  } as const
  return tx.member.findMany({
    where: { organizationId, id: ids ? { in: ids } : { gt: after }, ...lacksSecondFactor },
    select: { id: true, user },
    orderBy: { id: 'asc' },
    take: limit,
  })
}

type MemberQuery = z.output<typeof SearchMembers>

/** Searches members by name or email address, sorted, page by page. Names are sorted by PostgreSQL's collation. */
export async function searchMembers(
  db: Db,
  { organizationId, search = '', role, teamId, sort, descending, limit, offset }: MemberQuery,
): Promise<z.output<typeof MembersPage>> {
  const like = containing(search)
  const where = {
    organizationId,
    ...(search.trim() !== '' && {
      user: { OR: [{ name: like }, { previousEmail: null, email: like }, { previousEmail: like }] },
    }),
    // No role name is a substring of another.
    ...(role !== undefined && { role: { contains: role } }),
    ...(teamId !== undefined && { teamId }),
  }
  const direction = descending ? ('desc' as const) : ('asc' as const)
  if (sort === 'role') return searchByRole(db, where, { descending, limit, offset })
  // Not by address: the order would tell a new one that is not verified yet (SEC-121).
  const by = sort === 'joined' ? { createdAt: direction } : { user: { name: direction } }
  const [total, found] = await Promise.all([
    db.member.count({ where }),
    db.member.findMany({ where, include: withUser, orderBy: [by, { id: 'asc' }], skip: offset, take: limit }),
  ])
  return { members: toMembers(found), total }
}

/**
 * A page of the members from the highest role to the lowest, by name within each. The database does not know the order
 * of roles, of which there are few: they are counted, and the page is read from those that it covers.
 */
async function searchByRole(
  db: Db,
  where: Prisma.MemberWhereInput,
  { descending, limit, offset }: Pick<MemberQuery, 'descending' | 'limit' | 'offset'>,
): Promise<z.output<typeof MembersPage>> {
  const groups = await db.member.groupBy({ by: 'role', where, _count: true })
  const rankOf = (role: string) => Math.min(...rolesOf(role).map((name) => roles.indexOf(name)))
  const ordered = groups.toSorted(
    (one, other) =>
      (rankOf(one.role) - rankOf(other.role) || one.role.localeCompare(other.role)) * (descending ? -1 : 1),
  )
  const members: MemberWithUser[] = []
  let skip = offset
  for (const { role, _count: count } of ordered) {
    const take = limit - members.length
    if (take === 0) break
    if (skip < count) {
      const found = await db.member.findMany({
        where: { AND: [where, { role }] },
        include: withUser,
        orderBy: [{ user: { name: 'asc' } }, { id: 'asc' }],
        skip,
        take,
      })
      members.push(...toMembers(found))
    }
    skip = Math.max(0, skip - count)
  }
  return { members, total: groups.reduce((sum, { _count }) => sum + _count, 0) }
}
