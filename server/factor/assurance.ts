import type { Db } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'

/** Assurance levels (NIST SP 800-63B) of a sign-in with one factor, and with two. */
export const assuranceLevels = { one: 'aal1', two: 'aal2' } as const

/**
 * Whether a session began with a second factor, or was confirmed with one. An emailed code does not count, because
 * access to the mailbox also resets the password.
 */
export function sessionHasSecondFactor({ secondFactor }: { secondFactor?: string | null | undefined }): boolean {
  return secondFactor !== null && secondFactor !== undefined && secondFactor !== 'email_code'
}

/** Whether a user has an active authenticator app or a passkey. */
export async function userHasSecondFactor(db: Db, user: { id: string; twoFactorEnabled: boolean }): Promise<boolean> {
  return user.twoFactorEnabled || (await db.passkey.count({ where: { userId: user.id }, take: 1 })) > 0
}

/** Whether an organization's deadline for a second factor has passed. */
export function isSecondFactorEnforced({ secondFactorFrom }: { secondFactorFrom: Date | null }, now: Date): boolean {
  return secondFactorFrom !== null && secondFactorFrom <= now
}

/** How a caller was authenticated: by a session with or without a second factor, or by a key. */
type Caller = {
  secondFactor?: string | null | undefined
  verifiedCredential?: { kind: 'access_token' } | { kind: 'api_key'; createdWithSecondFactor: boolean } | undefined
}

/** Whether the caller has signed in with a second factor, or uses an API key that was created in such a session. */
export function callerHasSecondFactor({ secondFactor, verifiedCredential }: Caller): boolean {
  return verifiedCredential?.kind === 'api_key'
    ? verifiedCredential.createdWithSecondFactor
    : sessionHasSecondFactor({ secondFactor })
}

/** Like `callerHasSecondFactor`, where a second factor is required. The user of an API key must still have one. */
export async function satisfiesSecondFactor(
  db: Db,
  caller: Caller & { user: { id: string; twoFactorEnabled: boolean } },
): Promise<boolean> {
  if (!callerHasSecondFactor(caller)) return false
  return caller.verifiedCredential?.kind !== 'api_key' || userHasSecondFactor(db, caller.user)
}

/**
 * Refuses a session that may not add a factor or remove a passkey. Where the installation requires a second factor of
 * administrators, or an organization of its members, a user who has one must confirm it first. Otherwise anyone who
 * knows only the password could bypass the requirement with a factor of their own.
 */
export async function requireMayChangeFactors(db: Db, { user, secondFactor, config }: ChangesFactors): Promise<void> {
  if (sessionHasSecondFactor({ secondFactor }) || !(await userHasSecondFactor(db, user))) return
  if (user.role === 'admin' && config.requiresSecondFactorOfAdministrators) refuse('SECOND_FACTOR_REQUIRED')
  const where = { userId: user.id, organization: { secondFactorFrom: { not: null } } }
  if (await db.member.findFirst({ where, select: { id: true } })) refuse('SECOND_FACTOR_REQUIRED')
}

type ChangesFactors = {
  user: { id: string; role: string; twoFactorEnabled: boolean }
  secondFactor?: string | null | undefined
  config: { requiresSecondFactorOfAdministrators: boolean }
}
