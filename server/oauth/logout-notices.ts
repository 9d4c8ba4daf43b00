import type { Db, Tx } from '../foundation/database.ts'
import { secondsAfter } from '../foundation/time.ts'

export type LogoutNotice = { id: string; clientId: string; userId: string; sessionId: string; attempts: number }

/** Queues a notice for each session in which an application had a grant of the user. */
export async function insertNotices(
  tx: Tx,
  { userId, clientId, now }: { userId: string; clientId: string; now: Date },
): Promise<void> {
  await tx.$executeRaw`
    insert into "LogoutNotice" (id, "clientId", "userId", "sessionId", "nextTryAt", "createdAt")
    select gen_random_uuid()::text, ${clientId}, ${userId}, s."sessionId", ${now}, ${now}
    from (select distinct coalesce(sid, "sessionId") as "sessionId" from "OAuthArtifact"
      where "userId" = ${userId} and "clientId" = ${clientId} and kind = 'Grant' and "sessionId" is not null) as s`
}

/**
 * Queues the notices of grants that end while their sessions continue, to the applications that expect notices. There
 * is none if the application keeps another grant of the same session.
 */
export async function insertNoticesOfGrants(
  tx: Tx,
  { grantIds, now }: { grantIds: string[]; now: Date },
): Promise<void> {
  await tx.$executeRaw`
    insert into "LogoutNotice" (id, "clientId", "userId", "sessionId", "nextTryAt", "createdAt")
    select gen_random_uuid()::text, g."clientId", g."userId", g."sessionId", ${now}, ${now}
    from (select distinct "clientId", "userId", coalesce(sid, "sessionId") as "sessionId" from "OAuthArtifact"
      where kind = 'Grant' and "grantId" = any(${grantIds}::text[]) and "sessionId" is not null) as g
    join "OAuthClient" c on c.id = g."clientId" and c."backchannelLogoutUri" is not null
    where not exists (
      select from "OAuthArtifact" kept where kept."userId" = g."userId" and kept."clientId" = g."clientId"
        and kept.kind = 'Grant' and coalesce(kept.sid, kept."sessionId") = g."sessionId"
        and kept."grantId" <> all(${grantIds}::text[]))`
}

/** Claims notices that are due for this process, and counts an attempt of each. */
export async function claimNotices(
  db: Db,
  { now, claimSeconds, limit }: { now: Date; claimSeconds: number; limit: number },
): Promise<LogoutNotice[]> {
  return db.$queryRaw`
    update "LogoutNotice" set "nextTryAt" = ${secondsAfter(now, claimSeconds)}, attempts = attempts + 1
    where id in (
      select id from "LogoutNotice" where "nextTryAt" <= ${now} order by "nextTryAt" limit ${limit} for update skip locked)
    returning id, "clientId", "userId", "sessionId", attempts`
}

/** Deletes a notice that was delivered, or given up. */
export async function deleteNotice(db: Db, id: string): Promise<void> {
  await db.logoutNotice.deleteMany({ where: { id } })
}

export async function postponeNotice(db: Db, id: string, until: Date): Promise<void> {
  await db.logoutNotice.updateMany({ where: { id }, data: { nextTryAt: until } })
}
