import type { z } from 'zod'
import type { Passkey as Row, Prisma } from '../../prisma/client/client.ts'
import type { Passkey } from '../../shared/passkey.ts'
import type { Cookies } from '../foundation/cookies.ts'
import { newSecret } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { isRecord } from '../foundation/records.ts'
import { secondsAfter } from '../foundation/time.ts'
import { identifierOf, storeVerification, consumeVerification } from '../foundation/verifications.ts'
import { clearSecondFactor, endOtherSessionsByFactor } from '../session/sessions.ts'
import { clearSecondFactorOfKeys } from '../token/api-keys.ts'
import { endRemovalWithoutFactor } from './factor-removals.ts'

/** Maximum number of passkeys of one user. */
export const maxPasskeys = 20

/** Lifetime of a challenge. It can be answered once, in the browser that requested it. */
const challengeSeconds = 300
const cookieName = 'foyer.passkey'

type ChallengeUse = 'registration' | 'authentication'

/** Stores a challenge for this browser, replacing an earlier one for the same purpose. */
export async function storeChallenge(
  db: Db,
  cookies: Cookies,
  { use, challenge, userId, now }: { use: ChallengeUse; challenge: string; userId: string | null; now: Date },
): Promise<void> {
  const secret = cookies.getSecret(cookieName) ?? newSecret()
  await storeVerification(db, {
    identifier: identifierOf(`passkey-${use}`, secret),
    value: JSON.stringify({ challenge, userId }),
    expiresAt: secondsAfter(now, challengeSeconds),
    now,
  })
  cookies.set(cookieName, secret, challengeSeconds)
}

/**
 * Consumes the challenge of this browser, even if its answer turns out to be wrong. Undefined if there is none, or it
 * has expired.
 */
export async function consumeChallenge(
  db: Db,
  cookies: Cookies,
  { use, now }: { use: ChallengeUse; now: Date },
): Promise<{ challenge: string; userId: string | null } | undefined> {
  const secret = cookies.getSecret(cookieName)
  if (secret === undefined) return undefined
  const taken = await consumeVerification(db, identifierOf(`passkey-${use}`, secret), now)
  const value: unknown = taken && JSON.parse(taken.value)
  if (!isRecord(value) || typeof value['challenge'] !== 'string') return undefined
  const userId = value['userId']
  return { challenge: value['challenge'], userId: typeof userId === 'string' ? userId : null }
}

/** The passkeys of a user, oldest first. */
export async function listPasskeys(db: Db, userId: string): Promise<Row[]> {
  return db.passkey.findMany({
    where: { userId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: maxPasskeys,
  })
}

export async function countPasskeys(tx: Tx, userId: string): Promise<number> {
  return tx.passkey.count({ where: { userId } })
}

export async function findPasskey(tx: Tx, { id, userId }: { id: string; userId: string }): Promise<Row | null> {
  return tx.passkey.findFirst({ where: { id, userId } })
}

/** The passkey with this credential id (WebAuthn Level 3, 4), of any user. */
export async function findPasskeyByCredential(db: Db, credentialID: string): Promise<Row | null> {
  return db.passkey.findUnique({ where: { credentialID } })
}

export async function insertPasskey(tx: Tx, passkey: Prisma.PasskeyUncheckedCreateInput): Promise<Row> {
  return tx.passkey.create({ data: passkey })
}

/** Gives a passkey of a user another name. Undefined if there is none. */
export async function setPasskeyName(
  db: Db,
  { name, ...where }: { id: string; userId: string; name: string },
): Promise<Row | undefined> {
  const [passkey] = await db.passkey.updateManyAndReturn({ where, data: { name } })
  return passkey
}

/** A passkey as its owner sees it. */
export function toPasskey({ isUnverified: _flag, counter, ...row }: Row): z.output<typeof Passkey> {
  return { ...row, counter: Number(counter) }
}

/** Descriptors for the browser: the passkeys to use, or not to create again. */
export function descriptorsOf(passkeys: readonly Row[]) {
  return passkeys.map(({ credentialID, transports }) => ({
    id: credentialID,
    ...(transports !== null && { transports: transports.split(',') }),
  }))
}

/**
 * Records a use, unless the counter went back, which means that a copy of the key exists. Authenticators that do not
 * count send 0.
 */
export async function recordPasskeyUse(
  tx: Tx,
  { id, counter, backedUp, now }: { id: string; counter: number; backedUp: boolean; now: Date },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    update "Passkey" set counter = ${counter}::bigint, "backedUp" = ${backedUp}, "lastUsedAt" = ${now}
    where id = ${id} and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))`
  return count === 1
}

/**
 * Deletes passkeys. API keys that may have been created with one of them no longer count as created with a second
 * factor.
 */
export async function deletePasskeys(tx: Tx, where: Prisma.PasskeyWhereInput & { userId: string }): Promise<void> {
  const { _min: first } = await tx.passkey.aggregate({ where, _min: { createdAt: true } })
  if (first.createdAt === null) return
  await tx.passkey.deleteMany({ where })
  await clearSecondFactorOfKeys(tx, where.userId, first.createdAt)
  await endRemovalWithoutFactor(tx, where.userId)
}

/**
 * Removes one passkey. Ends all sessions that began with a passkey, except `keptSessionId`, because a lost passkey may
 * have started them.
 */
export async function removeOnePasskey(
  tx: Tx,
  { userId, id, keptSessionId }: { userId: string; id: string; keptSessionId: string },
): Promise<void> {
  await endOtherSessionsByFactor(tx, { userId, secondFactor: 'passkey', exceptId: keptSessionId })
  await deletePasskeys(tx, { userId, id })
  if ((await tx.passkey.count({ where: { userId }, take: 1 })) === 0) await clearSecondFactor(tx, userId, ['passkey'])
}
