import { generateSync } from 'otplib'
import type { Pool } from 'pg'
import { encryptTotp } from '../server/factor/totp.ts'
import { deriveKeys, newSecret, sha256 } from '../server/foundation/crypto.ts'
import { createAuthenticator } from '../server/testing/authenticator.ts'

/** Number of prepared sign-ins, because challenges and steps are usable once. */
const count = 900

type Prepared = { cookie: string; body: object }

/**
 * Prepares sign-ins with a passkey whose challenge is already stored, as `/passkey/generate-authenticate-options` does.
 */
export async function preparePasskeys(pool: Pool, { userId, origin }: { userId: string; origin: string }) {
  const authenticator = createAuthenticator(origin)
  const { publicKey } = authenticator
  await pool.query(
    `insert into "Passkey" (id, "userId", "credentialID", "publicKey", counter, "deviceType", "backedUp", "isUnverified", "createdAt")
     values ('bench', $1, $2, $3, 0, 'singleDevice', false, false, now())`,
    [userId, authenticator.id, publicKey],
  )
  const challenges = Array.from({ length: count }, () => ({ secret: newSecret(), challenge: newSecret() }))
  await store(
    pool,
    challenges.map(({ secret, challenge }) => ({
      identifier: `passkey-authentication:${sha256(secret)}`,
      value: JSON.stringify({ challenge, userId: null }),
      userId: null,
    })),
  )
  return next(
    challenges.map(({ secret, challenge }) => ({
      cookie: `foyer.passkey=${secret}`,
      // A counter of 0, as synchronized passkeys send.
      body: { response: authenticator.get({ challenge }, { counter: 0 }) },
    })),
  )
}

/** Prepares second steps of users with an authenticator app, after a correct password. */
export async function prepareSteps(pool: Pool, authSecret: string) {
  const keys = deriveKeys([authSecret]).storage
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const users = Array.from({ length: count }, (_, n) => ({ id: `u${n + 1}`, step: newSecret() }))
  await pool.query(
    `insert into "TwoFactor" ("userId", secret, "trustId", "confirmedAt", "createdAt", "updatedAt")
     select id, sealed, 'bench', now(), now(), now() from unnest($1::text[], $2::text[]) as made (id, sealed)`,
    [users.map(({ id }) => id), users.map(({ id }) => encryptTotp(keys, secret, id))],
  )
  await pool.query(`update "User" set "twoFactorEnabled" = true where id = any($1)`, [users.map(({ id }) => id)])
  await store(
    pool,
    users.map(({ id, step }) => ({
      identifier: `second-factor:${sha256(step)}`,
      value: JSON.stringify({ method: 'password', remembered: true, attempts: 0 }),
      userId: id,
    })),
  )
  const taken = next(users.map(({ step }) => ({ cookie: `foyer.two_factor=${step}`, body: {} })))
  return () => ({ ...taken(), body: { code: generateSync({ secret }) } })
}

async function store(
  pool: Pool,
  rows: readonly { identifier: string; value: string; userId: string | null }[],
): Promise<void> {
  await pool.query(
    `insert into "Verification" (id, identifier, value, "userId", "expiresAt", "createdAt")
     select gen_random_uuid()::text, identifier, value, "userId", now() + interval '1 hour', now()
     from unnest($1::text[], $2::text[], $3::text[]) as made (identifier, value, "userId")`,
    [rows.map(({ identifier }) => identifier), rows.map(({ value }) => value), rows.map(({ userId }) => userId)],
  )
}

function next(all: readonly Prepared[]): () => Prepared {
  let taken = 0
  return () => {
    const one = all[taken++]
    if (!one) throw new Error('More sign-ins than were prepared')
    return one
  }
}
