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

/**
 * The session that a grant currently belongs to, by the grant's row id: another session may have replaced the first.
 */
export async function findSessionOfGrant(
  pool: Pool,
  { row, clientId, userId }: { row: string; clientId: string; userId: string },
): Promise<string | undefined> {
  const { rows } = await pool.query<{ sessionId: string | null }>({
    name: 'grants.session',
    text: `select "sessionId" from "OAuthArtifact"
      where id = $1 and "userId" = $2 and "clientId" = $3 and kind = 'Grant'`,
    values: [row, userId, clientId],
  })
  return rows[0]?.sessionId ?? undefined
}

/** The session in which a client has a grant whose tokens contain this `sid`, if there still is one. */
export async function findSessionOfSid(
  pool: Pool,
  { sid, clientId, userId }: { sid: string; clientId: string; userId: string },
): Promise<string | undefined> {
  const { rows } = await pool.query<{ sessionId: string | null }>({
    name: 'grants.session-of-sid',
    text: `select "sessionId" from "OAuthArtifact"
      where "userId" = $1 and "clientId" = $2 and sid = $3 and kind = 'Grant' and "sessionId" is not null limit 1`,
    values: [userId, clientId, sid],
  })
  return rows[0]?.sessionId ?? undefined
}
