import type { Pool } from 'pg'
import type { Db } from '../foundation/database.ts'
import { statement } from '../foundation/statement.ts'

/** What the rules of protected hosts are about: the role, and whether the organization requires a second factor. */
export type GroupMembership = { role: string; organizationId: string; slug: string; secondFactorFrom: Date | null }

/**
 * Columns and tables of both statements. A proxy asks for every file of a page: one prepared statement takes half of
 * the CPU time of the call with Prisma's two (measured).
 */
const memberships = `select "Member".role, "Member"."organizationId", "Organization".slug, "Organization"."secondFactorFrom"
  from "Member" join "Organization" on "Organization".id = "Member"."organizationId"`

const list = statement(
  'memberships.list',
  `${memberships} where "Member"."userId" = :userId order by "Member"."createdAt", "Member".id limit :limit`,
)

const find = statement(
  'memberships.find',
  `${memberships} where "Member"."userId" = :userId and "Member"."organizationId" = :organizationId`,
)

/** The oldest memberships of a user. */
export async function listGroupMemberships(
  pool: Pool,
  input: { userId: string; limit: number },
): Promise<GroupMembership[]> {
  const { rows } = await pool.query<GroupMembership>(list(input))
  return rows
}

export async function findGroupMembership(
  pool: Pool,
  input: { userId: string; organizationId: string },
): Promise<GroupMembership | undefined> {
  const { rows } = await pool.query<GroupMembership>(find(input))
  return rows[0]
}

/** The email address of a user, and what tells whether it is verified: without the rest of the row, for each call. */
export async function findEmail(db: Db, id: string) {
  return db.user.findUnique({ where: { id }, select: { email: true, emailVerified: true, previousEmail: true } })
}
