import type { z } from 'zod'
import { Prisma } from '../../prisma/client/client.ts'
import type { ListedStatus } from '../../shared/invitation-status.ts'
import type {
  Invitation,
  invitationSorts,
  InvitationsPage,
  MyInvitation,
  SearchInvitations,
} from '../../shared/invitation.ts'
import type { Member } from '../../shared/organization.ts'
import { can, roles } from '../../shared/permissions.ts'
import { type EventParameters, recordAllSql } from '../event/event-rows.ts'
import { newId, newSecret, sha256 } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { afterCursor, containing, maxRows, withRelation } from '../foundation/lists.ts'
import { hasRoleSql } from '../foundation/member-roles.ts'
import { statement } from '../foundation/statement.ts'
import { secondsAfter } from '../foundation/time.ts'
import type { Statements, TransactionStatements } from '../foundation/transactions.ts'
import { hasVerifiedEmailSql, displayEmailSql } from '../foundation/verified-email.ts'
import { enqueueSql, type MailParameters } from '../mail/mail-rows.ts'
import { seatLimitSql } from '../purchase/seats.ts'

/** Maximum number of pending invitations per organization (SEC-82). */
export const maxPending = 100

type NewInvitation = {
  organizationId: string
  email: string
  role: string
  teamId: string | null
  inviterId: string
  now: Date
  lifetimeSeconds: number
}

/** Returns the pending invitation of an email address, expired or not; there is at most one. */
export async function findPending(tx: Tx, organizationId: string, email: string): Promise<Invitation | null> {
  return tx.invitation.findFirst({ where: { organizationId, email, status: 'pending' } })
}

/** Counts the pending, unexpired invitations of an organization. Reliable only under the organization's lock. */
export async function countOpen(tx: Tx, organizationId: string, now: Date): Promise<number> {
  return tx.invitation.count({ where: { organizationId, status: 'pending', expiresAt: { gt: now } } })
}

/** Stores an invitation and returns it with the secret of its emailed link; the database stores only its SHA-256. */
export async function createInvitation(tx: Tx, { now, lifetimeSeconds, ...invitation }: NewInvitation) {
  const secret = newSecret()
  const row = await tx.invitation.create({
    data: {
      ...invitation,
      id: newId(),
      status: 'pending',
      expiresAt: secondsAfter(now, lifetimeSeconds),
      createdAt: now,
      secretHash: sha256(secret),
    },
  })
  return { invitation: row, secret }
}

/**
 * Renews an invitation with a new expiry, role, team and sender, and invalidates the secret sent before. Undefined if
 * the invitation was accepted, rejected or canceled in the meantime.
 */
export async function renewInvitation(tx: Tx, id: string, { now, lifetimeSeconds, ...input }: NewInvitation) {
  const secret = newSecret()
  const { role, teamId, inviterId } = input
  const expiresAt = secondsAfter(now, lifetimeSeconds)
  const [row] = await tx.invitation.updateManyAndReturn({
    where: { id, status: 'pending' },
    data: { role, teamId, inviterId, expiresAt, secretHash: sha256(secret) },
  })
  return row && { invitation: row, secret }
}

/** An invitation with its organization, its inviter, and the inviter's current role, if still a member. */
export type FoundInvitation = Invitation & {
  secretHash: string | null
  organization: { name: string; slug: string; logo: string | null }
  inviter: { name: string; email: string; isVerified: boolean; language: number; role: string | null }
}

/** Uses one statement; Prisma's include of the three relations takes four. */
export async function findInvitation(sql: Statements, id: string): Promise<FoundInvitation | undefined> {
  if (id.includes('\0')) return undefined
  const { rows } = await sql.query<FoundInvitation>(find({ id }))
  return rows[0]
}

const find = statement(
  'invitations.find',
  `select i.id, i."organizationId", i.email, i.role, i.status, i."teamId", i."inviterId", i."expiresAt", i."secretHash",
    json_build_object('name', o.name, 'slug', o.slug, 'logo', o.logo) as organization,
    json_build_object('name', u.name, 'email', ${displayEmailSql('u')}, 'language', u.language, 'role', m.role,
      'isVerified', ${hasVerifiedEmailSql('u')}) as inviter
  from "Invitation" i join "Organization" o on o.id = i."organizationId" join "User" u on u.id = i."inviterId"
    left join "Member" m on m."organizationId" = i."organizationId" and m."userId" = i."inviterId"
  where i.id =:id`,
)

/** The state of an organization before a user joins it. `membershipLimit` and `seatLimit` are null if there is none. */
type JoinConditions = {
  members: number
  isMember: boolean
  inviterRole: string | null
  membershipLimit: number | null
  seatLimit: number | null
}

/**
 * Reads the state of an organization before a user joins it. Reliable only under the organization's lock. Returns the
 * current inviter, because the invitation may have been renewed since it was first read.
 */
export async function findJoinConditions(
  sql: Statements,
  { id, organizationId }: Pick<Invitation, 'id' | 'organizationId'>,
  { userId, now }: { userId: string; now: Date },
): Promise<JoinConditions> {
  const { rows } = await sql.query<JoinConditions>(joinConditions({ id, organizationId, userId, now }))
  return rows[0] ?? { members: 0, isMember: false, inviterRole: null, membershipLimit: null, seatLimit: null }
}

const joinConditions = statement(
  'invitations.joinConditions',
  `select count(*)::int as members, coalesce(bool_or("userId" = :userId), false) as "isMember",
    max(role) filter (where "userId" = (select "inviterId" from "Invitation" where id = :id)) as "inviterRole",
    (select "membershipLimit" from "Organization" where id = :organizationId) as "membershipLimit", (${seatLimitSql(':organizationId')}) as "seatLimit"
  from "Member" where "organizationId" = :organizationId`,
)

/** Only a pending, unexpired invitation can be accepted or rejected. */
export function isOpen({ status, expiresAt }: Pick<Invitation, 'status' | 'expiresAt'>, now: Date): boolean {
  return status === 'pending' && expiresAt > now
}

/** Returns whether this is the secret of the latest email for this invitation, which verifies the email address. */
export function isSecretOf({ secretHash }: { secretHash: string | null }, secret: string | undefined): boolean {
  return secret !== undefined && secretHash !== null && sha256(secret) === secretHash
}

/**
 * Conditions that must still hold when the status changes: not expired, and the same secret if it verifies the email
 * address.
 */
type CloseConditions = { now?: Date; secret?: string | undefined }

/**
 * Moves a pending invitation to its final status in one statement. Of several concurrent calls only one succeeds
 * (SEC-84); the others get undefined. Returns the current row, which may have been renewed since it was first read.
 */
export async function closeInvitation(
  tx: Tx,
  id: string,
  status: 'rejected' | 'canceled',
  { now, secret }: CloseConditions = {},
): Promise<Invitation | undefined> {
  const [row] = await tx.invitation.updateManyAndReturn({
    where: {
      id,
      status: 'pending',
      ...(now && { expiresAt: { gt: now } }),
      ...(secret !== undefined && { secretHash: sha256(secret) }),
    },
    data: { status },
  })
  return row
}

/** Locks the organization, then accepts an invitation as `closeInvitation` does, in the same statement. */
export async function acceptUnderLock(
  sql: Statements,
  { id, organizationId }: Pick<Invitation, 'id' | 'organizationId'>,
  { now, secret }: { now: Date; secret: string | undefined },
): Promise<Invitation | undefined> {
  const secretHash = secret === undefined ? null : sha256(secret)
  const { rows } = await sql.query<Invitation>(accept({ id, organizationId, now, secretHash }))
  return rows[0]
}

const accept = statement(
  'invitations.accept',
  `with locked as (select id from "Organization" where id = :organizationId for no key update)
  update "Invitation" i set status = 'accepted' from locked
  where i.id = :id and i."organizationId" = locked.id and i.status = 'pending' and i."expiresAt" > :now::timestamptz
    and (:secretHash::text is null or i."secretHash" = :secretHash::text)
  returning i.id, i."organizationId", i.email, i.role, i.status::text, i."teamId", i."inviterId", i."expiresAt"`,
)

/**
 * The membership that a user gets by accepting an invitation. Without `sessionId`, the organization becomes active in
 * no session.
 */
type NewMembership = {
  member: Pick<Member, 'id' | 'organizationId' | 'userId' | 'role' | 'teamId'>
  sessionId: string | undefined
  mail: MailParameters
  /** The events of the accepted invitation and of the new member. */
  events: { accepted: EventParameters; joined: EventParameters }
  now: Date
}

/**
 * Makes a user a member, and stores the email to the inviter and the events, in one statement. As separate Prisma
 * statements they took half of the call's 4 ms of CPU. This is the last statement of its transaction. The member's row
 * is locked before that of the session (session/locks.ts).
 */
export async function storeMember(
  sql: TransactionStatements,
  { member, sessionId, mail, events: { accepted, joined }, now }: NewMembership,
): Promise<Member> {
  const { rows } = await sql.queryLast<Member>(join({ member, sessionId, mail, accepted, joined, now }))
  const [stored] = rows
  if (!stored) throw new Error('The member was not stored')
  return stored
}

const join = statement(
  'invitations.join',
  `with member as (
    insert into "Member" (id, "organizationId", "userId", role, "teamId", "createdAt")
    values (:member.id, :member.organizationId, :member.userId, :member.role, :member.teamId, :now::timestamptz)
    returning id, "organizationId", "userId", role, "teamId", "createdAt"),
  owner as (
    update "User" set "lastOrganizationId" = :member.organizationId
    where id = :member.userId and :sessionId::text is not null returning id),
  current as (
    update "Session" s set "activeOrganizationId" = :member.organizationId from owner
    where s.id = :sessionId and s."userId" = owner.id returning s.id),
  ${enqueueSql},
  ${recordAllSql(['accepted', 'joined'])}
  select id, "organizationId", "userId", role, "teamId", "createdAt", (select count(*)::int from job) as jobs from member`,
)

type InvitationQuery = {
  organizationId: string
  status?: Invitation['status'] | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

/** Lists invitations in the order in which they were created. */
export async function listInvitations(
  db: Db,
  { organizationId, status, limit, cursor }: InvitationQuery,
): Promise<Invitation[]> {
  const from =
    cursor === undefined ? undefined : await db.invitation.findFirst({ where: { id: cursor, organizationId } })
  if (from === null) return []
  return db.invitation.findMany({
    // The cursor's row may have a different status by now.
    where: { organizationId, ...(status !== undefined && { status }), ...(from && afterCursor(from)) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: limit ?? maxRows,
  })
}

const sortColumns: Record<
  (typeof invitationSorts)[number],
  (direction: Prisma.SortOrder) => Prisma.InvitationOrderByWithRelationInput
> = {
  sent: (createdAt) => ({ createdAt }),
  email: (email) => ({ email }),
  expires: (expiresAt) => ({ expiresAt }),
  role: (role) => ({ role }),
  inviter: (name) => ({ inviter: { name } }),
}

/** The invitations with a status, as screens list it. */
function whereStatus(status: ListedStatus, now: Date): Prisma.InvitationWhereInput {
  if (status === 'pending') return { status: 'pending', expiresAt: { gt: now } }
  if (status === 'expired') return { status: 'pending', expiresAt: { lte: now } }
  return { status }
}

/** Searches invitations for the invitations table, with the name of each sender, and the number per status. */
export async function searchInvitations(
  db: Db,
  { organizationId, status, search = '', sort, descending, limit, offset }: z.output<typeof SearchInvitations>,
  now: Date,
): Promise<z.output<typeof InvitationsPage>> {
  const where = {
    organizationId,
    ...whereStatus(status, now),
    ...(search.trim() !== '' && { email: containing(search) }),
  }
  const by = sortColumns[sort](descending ? 'desc' : 'asc')
  const [total, found, groups, expired] = await Promise.all([
    db.invitation.count({ where }),
    db.invitation.findMany({
      where,
      include: { inviter: { select: { name: true } } },
      orderBy: [by, { id: 'asc' }],
      skip: offset,
      take: limit,
    }),
    db.invitation.groupBy({ by: 'status', where: { organizationId }, _count: true }),
    db.invitation.count({ where: { organizationId, ...whereStatus('expired', now) } }),
  ])
  const countOf = (name: Invitation['status']) => groups.find((group) => group.status === name)?._count ?? 0
  return {
    invitations: withRelation(found, 'inviter').map(({ inviter, ...invitation }) => ({
      ...invitation,
      inviterName: inviter.name,
    })),
    total,
    counts: {
      pending: countOf('pending') - expired,
      expired,
      accepted: countOf('accepted'),
      rejected: countOf('rejected'),
      canceled: countOf('canceled'),
    },
  }
}

/** Maximum number of invitations on the home screen. Others appear once these are answered. */
const maxOnHome = 20

/** Lists the open invitations to an email address, newest first, whose inviters may still invite to that role. */
export async function listInvitationsFor(db: Db, email: string, now: Date): Promise<z.output<typeof MyInvitation>[]> {
  const inviting = roles.filter((role) => can(role, 'invitation', 'create'))
  return db.$queryRaw`
    select i.id, i."organizationId", i.email, i.role, i.status, i."teamId", i."inviterId", i."expiresAt",
      o.name as "organizationName", o.slug as "organizationSlug", o.logo as "organizationLogo", u.name as "inviterName"
    from "Invitation" i join "Organization" o on o.id = i."organizationId" join "User" u on u.id = i."inviterId"
      join "Member" m on m."organizationId" = i."organizationId" and m."userId" = i."inviterId"
    where i.email = ${email} and i.status = 'pending' and i."expiresAt" > ${now}
      and string_to_array(m.role, ',') && ${inviting}::text[]
      and (not ${Prisma.raw(hasRoleSql('i', 'owner'))} or ${Prisma.raw(hasRoleSql('m', 'owner'))})
    order by i."createdAt" desc, i.id limit ${maxOnHome}`
}

/** Deletes up to `limit` invitations created before `before` that are answered or expired. Returns how many. */
export async function deleteEndedInvitations(
  db: Db,
  { before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<number> {
  return db.$executeRaw`
    delete from "Invitation" where id in (
      select id from "Invitation"
      where "createdAt" <= ${before} and (status <> 'pending' or "expiresAt" <= ${now}) limit ${limit})`
}
