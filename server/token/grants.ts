import type { Pool } from 'pg'
import { sha256 } from '../foundation/crypto.ts'

/**
 * Moves what applications were granted from the former session of a browser to the one that replaces it, if both are the same
 * user's: who confirms the password again stays signed in to applications. Another user's grants end with the former session.
 */
export async function moveGrants(
  pool: Pool,
  { formerToken, userId, sessionId }: { formerToken: string; userId: string; sessionId: string },
): Promise<void> {
  await pool.query({
    name: 'grants.move',
    text: `update "OAuthArtifact" a set "sessionId" = $3, payload = case
        when a.payload ? 'sessionUid' then jsonb_set(a.payload, '{sessionUid}', to_jsonb($3::text)) else a.payload end
      from "Session" s where s."tokenHash" = $1 and s."userId" = $2 and a."sessionId" = s.id`,
    values: [sha256(formerToken), userId, sessionId],
  })
}
