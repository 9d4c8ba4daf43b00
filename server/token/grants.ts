import type { Pool } from 'pg'
import { sha256 } from '../foundation/crypto.ts'

/**
 * Moves the grants of applications from the former session of a browser to the one that replaces it, if both belong to
 * the same user, so that re-authenticating keeps the user signed in to applications. Another user's grants end with the
 * former session.
 */
export async function moveGrants(
  pool: Pool,
  { formerToken, userId, sessionId, now }: { formerToken: string; userId: string; sessionId: string; now: Date },
): Promise<void> {
  await pool.query({
    name: 'grants.move',
    text: `update "OAuthArtifact" a set "sessionId" = $3, payload = case
        when a.payload ? 'sessionUid' then jsonb_set(a.payload, '{sessionUid}', to_jsonb($3::text)) else a.payload end
      from "Session" s where s."tokenHash" = $1 and s."userId" = $2 and s."expiresAt" > $4 and a."sessionId" = s.id`,
    values: [sha256(formerToken), userId, sessionId, now],
  })
}
