import type { z } from 'zod'
import type { Invitation, MyInvitation } from '../../shared/invitation.ts'
import { can, roles } from '../../shared/permissions.ts'
import { newId, newSecret, sha256 } from '../foundation/crypto.ts'
import { afterCursor, maxRows, type Tx } from '../foundation/database.ts'

/** Invitations of one organization that wait at the same time (SEC-82). */
export const maxPending = 100

export type NewInvitation = {
  organizationId: string
  email: string
  role: string
  teamId: string | null
  inviterId: string
  now: Date
  lifetimeSeconds: number
}

/** The open invitation of an address, expired or not: there is one at the most. */
export async function findPending(tx: Tx, organizationId: string, email: string): Promise<Invitation | null> {
  return tx.invitation.findFirst({ where: { organizationId, email, status: 'pending' } })
}

/** Open invitations of an organization whose time is not over; meaningful under the organization's lock alone. */
export async function countPending(tx: Tx, organizationId: string, now: Date): Promise<number> {
  return tx.invitation.count({ where: { organizationId, status: 'pending', expiresAt: { gt: now } } })
}

/** An invitation and the secret of its mailed link, which is answered once; the database keeps its SHA-256. */
export async function createInvitation(tx: Tx, { now, lifetimeSeconds, ...invitation }: NewInvitation) {
  const secret = newSecret()
  const row = await tx.invitation.create({
    data: {
      ...invitation,
      id: newId(),
      status: 'pending',
      expiresAt: new Date(now.getTime() + lifetimeSeconds * 1000),
      createdAt: now,
      secretHash: sha256(secret),
    },
  })
  return { invitation: row, secret }
}

/**
 * The same row once more: a new expiry, role, team and sender; the secret of the former mail is void. Undefined when it
 * was answered meanwhile.
 */
export async function renewInvitation(tx: Tx, id: string, { now, lifetimeSeconds, ...wish }: NewInvitation) {
  const secret = newSecret()
  const { role, teamId, inviterId } = wish
  const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000)
  const [row] = await tx.invitation.updateManyAndReturn({
    where: { id, status: 'pending' },
    data: { role, teamId, inviterId, expiresAt, secretHash: sha256(secret) },
  })
  return row && { invitation: row, secret }
}

/** An invitation with what goes along: whose it is, who sent it, and as what the sender is still a member, if at all. */
export type FoundInvitation = Invitation & {
  secretHash: string | null
  organization: { name: string; slug: string; logo: string | null }
  inviter: { name: string; email: string; isVerified: boolean; language: number; role: string | null }
}

/** One statement: Prisma's include of the three is four. */
export async function findInvitation(tx: Tx, id: string): Promise<FoundInvitation | undefined> {
  const [row] = await tx.$queryRaw<FoundInvitation[]>`
    select i.id, i."organizationId", i.email, i.role, i.status, i."teamId", i."inviterId", i."expiresAt", i."secretHash",
      json_build_object('name', o.name, 'slug', o.slug, 'logo', o.logo) as organization,
      json_build_object('name', u.name, 'email', coalesce(u."previousEmail", u.email), 'language', u.language, 'role', m.role,
        'isVerified', u."emailVerified" or u."previousEmail" is not null) as inviter
    from "Invitation" i join "Organization" o on o.id = i."organizationId" join "User" u on u.id = i."inviterId"
      left join "Member" m on m."organizationId" = i."organizationId" and m."userId" = i."inviterId"
    where i.id = ${id}`
  return row
}

/** How an organization stands before somebody joins; meaningful under its lock alone. */
export async function findMembership(tx: Tx, { organizationId, inviterId }: Invitation, userId: string) {
  const [row] = await tx.$queryRaw<{ members: number; isMember: boolean; inviterRole: string | null }[]>`
    select count(*)::int as members, coalesce(bool_or("userId" = ${userId}), false) as "isMember",
      max(role) filter (where "userId" = ${inviterId}) as "inviterRole"
    from "Member" where "organizationId" = ${organizationId}`
  return row ?? { members: 0, isMember: false, inviterRole: null }
}

/** Only a pending, unexpired invitation can be accepted or rejected. */
export function isOpen({ status, expiresAt }: Pick<Invitation, 'status' | 'expiresAt'>, now: Date): boolean {
  return status === 'pending' && expiresAt > now
}

/** Is this the secret of the newest mail of this invitation? It verifies the address. */
export function isSecretOf({ secretHash }: { secretHash: string | null }, secret: string | undefined): boolean {
  return secret !== undefined && secretHash !== null && sha256(secret) === secretHash
}

/** What must still be true when an invitation is answered: its time, and the secret where that verifies the address. */
type Still = { now?: Date; secret?: string | undefined }

/**
 * From pending to what becomes of it, in one statement: of thirty at once, one (SEC-84). Undefined for the others. The row that
 * is answered says what the invitation is now: it may have been sent again since it was first read.
 */
export async function answerInvitation(
  tx: Tx,
  id: string,
  status: 'accepted' | 'rejected' | 'canceled',
  { now, secret }: Still = {},
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

type Wanted = {
  organizationId: string
  status?: Invitation['status'] | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

/** In the order in which they were made. */
export async function listInvitations(
  tx: Tx,
  { organizationId, status, limit, cursor }: Wanted,
): Promise<Invitation[]> {
  const from =
    cursor === undefined ? undefined : await tx.invitation.findFirst({ where: { id: cursor, organizationId } })
  if (from === null) return []
  return tx.invitation.findMany({
    // The row of the cursor may have another state by now.
    where: { organizationId, ...(status !== undefined && { status }), ...(from && afterCursor(from)) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: limit ?? maxRows,
  })
}

/** Rows of the start page; more come up when these are answered. */
const maxOnHome = 20

/** What waits for somebody of this address, newest first, from inviters who may still invite to that role. */
export async function listInvitationsFor(tx: Tx, email: string, now: Date): Promise<z.output<typeof MyInvitation>[]> {
  const inviting = roles.filter((role) => can(role, 'invitation', 'create'))
  return tx.$queryRaw`
    select i.id, i."organizationId", i.email, i.role, i.status, i."teamId", i."inviterId", i."expiresAt",
      o.name as "organizationName", o.slug as "organizationSlug", o.logo as "organizationLogo", u.name as "inviterName"
    from "Invitation" i join "Organization" o on o.id = i."organizationId" join "User" u on u.id = i."inviterId"
      join "Member" m on m."organizationId" = i."organizationId" and m."userId" = i."inviterId"
    where i.email = ${email} and i.status = 'pending' and i."expiresAt" > ${now}
      and string_to_array(m.role, ',') && ${inviting}::text[]
      and (not 'owner' = any(string_to_array(i.role, ',')) or 'owner' = any(string_to_array(m.role, ',')))
    order by i."createdAt" desc, i.id limit ${maxOnHome}`
}
