import type { Tx } from '../foundation/database.ts'
import { withRelation } from '../foundation/lists.ts'

/** What the rules of protected hosts are about: the role, and whether the organization requires a second factor. */
const select = {
  role: true,
  organizationId: true,
  organization: { select: { slug: true, secondFactorFrom: true } },
} as const

/** The oldest memberships of a user. */
export async function listGroupMemberships(tx: Tx, { userId, limit }: { userId: string; limit: number }) {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]
  const rows = await tx.member.findMany({ where: { userId }, select, orderBy, take: limit })
  return withRelation(rows, 'organization')
}

export async function findGroupMembership(
  tx: Tx,
  { userId, organizationId }: { userId: string; organizationId: string },
) {
  const row = await tx.member.findUnique({ where: { organizationId_userId: { organizationId, userId } }, select })
  return withRelation(row ? [row] : [], 'organization')[0]
}

/** The email address of a user, and what tells whether it is verified: without the rest of the row, for each call. */
export async function findAddress(tx: Tx, id: string) {
  return tx.user.findUnique({ where: { id }, select: { email: true, emailVerified: true, previousEmail: true } })
}
