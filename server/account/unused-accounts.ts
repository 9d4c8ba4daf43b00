import { Prisma } from '../../prisma/client/client.ts'
import type { Db, Tx } from '../foundation/database.ts'

type Position = { id: string; createdAt: Date }

/** Accounts with an unverified address that were created after a position and up to `before`, the oldest first. */
export async function listUnverified(
  db: Db,
  { before, after, limit }: { before: Date; after: Position; limit: number },
): Promise<Position[]> {
  return db.$queryRaw`
    select id, "createdAt" from "User" where not "emailVerified" and "createdAt" <= ${before}
      and ("createdAt", id) > (${after.createdAt}::timestamptz, ${after.id}) order by "createdAt", id limit ${limit}`
}

/** Locks up to `limit` of these accounts that were never used, except those that are locked elsewhere. */
export async function lockUnused(tx: Tx, among: string[], limit: number): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from "User" u where id = any(${among}) and ${isUnused} limit ${limit} for update skip locked`
  return rows.map(({ id }) => id)
}

/**
 * Never verified or signed in to. Banned accounts are excluded, because their address would become available, and those
 * without a retained sign-up, as their history is unknown.
 */
const isUnused = Prisma.sql`not "emailVerified" and "previousEmail" is null and "bannedAt" is null
  and exists (select from "Event" e where e."subjectId" = u.id and e.type = 'user.signed_up')
  and not exists (select from "Event" e where e."subjectId" = u.id and e.type = 'user.signed_in')
  and not exists (select from "Session" s where s."userId" = u.id)
  and not exists (select from "Member" m where m."userId" = u.id)`

/** Deletes those of these accounts that were never used, and returns them. */
export async function deleteUnused(tx: Tx, ids: string[]): Promise<{ id: string; email: string }[]> {
  return tx.$queryRaw`delete from "User" u where id = any(${ids}) and ${isUnused} returning id, email`
}
