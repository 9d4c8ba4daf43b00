import type { Pool } from 'pg'
import { sha256 } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import { statement } from '../foundation/statement.ts'

/**
 * Moves the grants of applications from the former session of a browser to the one that replaces it, if both belong to
 * the same user, so that re-authenticating keeps the user signed in to applications. Another user's grants end with the
 * former session.
 */
export async function moveGrants(
  pool: Pool,
  { formerToken, userId, sessionId, now }: { formerToken: string; userId: string; sessionId: string; now: Date },
): Promise<void> {
  await pool.query(moveGrantsOfSession({ formerHash: sha256(formerToken), userId, sessionId, now }))
}

const moveGrantsOfSession = statement(
  'grants.move',
  `update "OAuthArtifact" a set "sessionId" = :sessionId, payload = case
        when a.payload ? 'sessionUid' then jsonb_set(a.payload, '{sessionUid}', to_jsonb(:sessionId::text)) else a.payload end
      from "Session" s where s."tokenHash" = :formerHash and s."userId" = :userId and s."expiresAt" > :now and a."sessionId" = s.id`,
)

/**
 * Ends what applications were given in a session that continues, and queues the notices of it, as the end of a session
 * does (the trigger `end_grants`).
 */
export async function endGrantsOfSession(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.$executeRaw`
    insert into "LogoutNotice" (id, "clientId", "userId", "sessionId", "nextTryAt", "createdAt")
    select gen_random_uuid()::text, ended."clientId", ended."userId", ended.sid, ${now}, ${now}
    from (
      select distinct a."clientId", a."userId", coalesce(a.sid, a."sessionId") as sid
      from "OAuthArtifact" a join "OAuthClient" c on c.id = a."clientId" and c."backchannelLogoutUri" is not null
      where a."sessionId" = ${sessionId} and a.kind = 'Grant') as ended`
  await tx.oAuthArtifact.deleteMany({ where: { sessionId } })
}
