import type { Pool } from 'pg'
import { sha256 } from '../foundation/crypto.ts'
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
