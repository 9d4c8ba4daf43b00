import { z } from 'zod'
import type { Cookies } from '../foundation/cookies.ts'
import { newSecret } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { secondsAfter } from '../foundation/time.ts'
import {
  deleteVerification,
  findVerification,
  identifierOf,
  storeVerification,
  updateVerification,
} from '../foundation/verifications.ts'

/** Lifetime of the second step of a sign-in. It also ends after five wrong codes. */
const lifetimeSeconds = 600
const maxAttempts = 5
const cookieName = 'foyer.two_factor'

/** The basis of a sign-in, and how it continues after the second step. */
const Step = z.object({
  attempts: z.int(),
  method: z.string(),
  provider: z.string().optional(),
  remembered: z.boolean(),
  activeOrganizationId: z.string().optional(),
  basis: z
    .union([
      z.object({ passwordHash: z.string(), sessionId: z.string().optional() }),
      z.object({ identityId: z.string() }),
      z.object({ sessionId: z.string() }),
      z.object({ passkeyId: z.string() }),
      z.object({ passwordVersion: z.int() }),
    ])
    .optional(),
})
type Step = z.output<typeof Step>
export type PendingStep = Step & { id: string; userId: string; expiresAt: Date }

/**
 * Starts the second step of a user's sign-in in this browser. A password change deletes the row, like all pending
 * secrets of the user.
 */
export async function beginStep(
  db: Db,
  cookies: Cookies,
  { userId, now, ...step }: Omit<Step, 'attempts'> & { userId: string; now: Date },
): Promise<void> {
  const secret = newSecret()
  const expiresAt = secondsAfter(now, lifetimeSeconds)
  const value = JSON.stringify({ ...step, attempts: 0 })
  await storeVerification(db, { identifier: identifierOf('second-factor', secret), value, userId, expiresAt, now })
  cookies.set(cookieName, secret, lifetimeSeconds)
}

/** The pending step in this browser. Undefined if there is none, it has ended, or its attempts are used up. */
export async function findStep(db: Db, cookies: Cookies, now: Date): Promise<PendingStep | undefined> {
  const secret = cookies.getSecret(cookieName)
  const row = secret === undefined ? undefined : await findVerification(db, identifierOf('second-factor', secret))
  if (!row?.userId || row.expiresAt <= now) return undefined
  const { data } = Step.safeParse(JSON.parse(row.value))
  const { id, userId, expiresAt } = row
  return data && data.attempts < maxAttempts ? { ...data, id, userId, expiresAt } : undefined
}

/** Uses up an attempt of a step whose user is locked. Returns how many remain. */
export async function consumeAttempt(
  tx: Tx,
  { id, userId: _user, expiresAt: _end, ...step }: PendingStep,
): Promise<number> {
  const attempts = step.attempts + 1
  if (attempts >= maxAttempts) await deleteVerification(tx, { id })
  else await updateVerification(tx, { id, value: JSON.stringify({ ...step, attempts }) })
  return maxAttempts - attempts
}

/** Ends a step. Returns false if it had already ended. */
export async function endStep(tx: Tx, step: PendingStep): Promise<boolean> {
  return deleteVerification(tx, step)
}

/** Forgets the step in this browser. */
export function clearStep(cookies: Cookies): void {
  if (cookies.get(cookieName) !== undefined) cookies.clear(cookieName)
}

export function attemptsLeft({ attempts }: PendingStep): number {
  return maxAttempts - attempts
}
