import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { z } from 'zod'
import { newSecret, sha256 } from '../server/foundation/crypto.ts'

const Tokens = z.object({ access_token: z.string() })

/**
 * Signs the owner of a session cookie in to an application of the operator, with a code and PKCE, and returns the
 * application's access token for Foyer's own API.
 */
export async function makeAccessToken(
  pool: Pool,
  { origin, cookie }: { origin: string; cookie: string },
): Promise<string> {
  const secret = newSecret()
  const redirectUri = 'https://app.example.com/callback'
  await pool.query(
    `insert into "OAuthClient" (id, name, "secretHash", "redirectUris", "grantTypes", "isFirstParty", "createdAt", "updatedAt")
     values ('bench-app', 'Bench app', $1, $2, '{authorization_code}', true, now(), now())`,
    [sha256(secret), [redirectUri]],
  )
  const verifier = newSecret()
  const query = new URLSearchParams({
    client_id: 'bench-app',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid',
    resource: origin,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const authorized = await fetch(`${origin}/oauth/authorize?${query.toString()}`, {
    headers: { cookie },
    redirect: 'manual',
  })
  const code = new URL(authorized.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const authorization = `Basic ${Buffer.from(`bench-app:${secret}`).toString('base64')}`
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
    resource: origin,
  })
  const answer = await fetch(`${origin}/oauth/token`, { method: 'POST', headers: { authorization }, body })
  return Tokens.parse(await answer.json()).access_token
}
