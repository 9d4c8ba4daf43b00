import { z } from 'zod'
import type { CodeUse as OpenUse } from '../../shared/email-code.ts'
import type { Cookies } from '../foundation/cookies.ts'
import { verifySignature, type KeyList, newSecret, randomText, sha256, sign } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import { resetFailedAttempts, recordFailedAttempt, retryAfterSeconds } from '../foundation/failed-attempts.ts'
import type { RateLimit } from '../foundation/limits.ts'
import { secondsAfter } from '../foundation/time.ts'
import {
  deleteVerification,
  identifierOf,
  lockVerification,
  storeVerification,
  updateVerification,
} from '../foundation/verifications.ts'

/**
 * Six digits, five attempts, ten minutes: a 1 in 200,000 chance per email. After many wrong codes for an email address,
 * further codes are longer, so that guesses by others lock no one out for more than some hours.
 */
const lifetimeSeconds = 600
const maxAttempts = 5
const digits = { usual: 6, afterGuesses: 10 }
/** Binds codes and links to the browser that requested them. */
const cookieName = 'foyer.mail_code'

const Stored = z.object({
  attempts: z.int(),
  email: z.string(),
  /** HMAC of the code. */
  code: z.string(),
  name: z.string().optional(),
  /** SHA-256 of the link's token, if there is one. */
  link: z.string().optional(),
  /** Too long to be guessed: only its own attempts limit it. */
  isLong: z.literal(true).optional(),
})

/** Codes for the second step are requested through a separate call. */
type CodeUse = OpenUse | 'second-step'

type CookieContext = { keys: KeyList; cookies: Cookies; now: Date }

type NewCode = {
  use: CodeUse
  email: string
  name?: string | undefined
  linkToken?: string
  /** The user with the email address. A new password invalidates the user's codes. */
  userId?: string | undefined
  /** The id of the browser, if the user with the email address knows it. */
  device?: string | undefined
  /**
   * Whether the code is emailed. It is stored in any case, so that wrong codes get the same answers for every email
   * address.
   */
  isSent: boolean
}

/** Stores a new code for this browser, replacing the former one for the same use. Returns it. */
export async function storeEmailCode(
  tx: Tx,
  { keys, cookies, now }: CookieContext,
  { use, email, name, linkToken, userId, device, isSent }: NewCode,
): Promise<{ code: string; expiresAt: Date }> {
  const secret = cookies.getSecret(cookieName) ?? newSecret()
  const identifier = identifierOf(`mail-code:${use}`, secret)
  const isLong = (await retryAfterSeconds(tx, [monthOf(use, email, device)], now)) > 0
  const length = isLong ? digits.afterGuesses : digits.usual
  const code = randomText('0123456789', length)
  const expiresAt = secondsAfter(now, lifetimeSeconds)
  // A code that is not emailed cannot be guessed, because no number matches it.
  const signed = sign(keys, contentOf(identifier, email, isSent ? code : newSecret()))
  const value = JSON.stringify({
    attempts: 0,
    email,
    code: signed,
    ...(name !== undefined && { name }),
    ...(linkToken !== undefined && isSent && { link: sha256(linkToken) }),
    ...(isLong && { isLong }),
  })
  await storeVerification(tx, { identifier, value, userId: userId ?? null, expiresAt, now })
  cookies.set(cookieName, secret, lifetimeSeconds)
  return { code, expiresAt }
}

export type CheckedCode =
  | { outcome: 'right'; name: string | undefined }
  | { outcome: 'wrong' | 'expired' | 'exhausted' }

/**
 * Checks a code for an email address that this browser requested, and uses it up. Each wrong code uses up an attempt,
 * regardless of the limits.
 */
export async function checkEmailCode(
  tx: Tx,
  { keys, cookies, now }: CookieContext,
  { use, email, code, device }: { use: CodeUse; email: string; code: string; device?: string | undefined },
): Promise<CheckedCode> {
  const found = await lockCode(tx, cookies, use)
  if (!found) return { outcome: 'wrong' }
  const { id, identifier, expiresAt, stored } = found
  if (expiresAt <= now) return { outcome: 'expired' }
  const guesses = stored.isLong ? [] : guessesAbout(use, email, device)
  if (stored.attempts >= maxAttempts || (await retryAfterSeconds(tx, guesses, now)) > 0) return { outcome: 'exhausted' }
  if (stored.email === email && verifySignature(keys, contentOf(identifier, email, code), stored.code)) {
    if (!(await deleteVerification(tx, { id }))) return { outcome: 'wrong' }
    await resetFailedAttempts(tx, guessesAbout(use, email, device))
    return { outcome: 'right', name: stored.name }
  }
  const value = JSON.stringify({ ...stored, attempts: stored.attempts + 1 })
  await updateVerification(tx, { id, value })
  // Only browsers that requested a code for this email address can guess it.
  if (stored.email === email) await recordFailedAttempt(tx, guesses, now)
  return { outcome: 'wrong' }
}

/**
 * Limits on wrong codes for one email address, over all browsers and uses: twenty in an hour, and a hundred in a month
 * without a correct one, a chance of 1 in 10,000 of guessing one. Browsers known to the user have counts of their own.
 */
function guessesAbout(use: CodeUse, email: string, device: string | undefined): RateLimit[] {
  return [{ key: guessKey(use, email, device), max: 20, seconds: 3600 }, monthOf(use, email, device)]
}

/** The monthly limit. Once it is reached, codes are long. */
function monthOf(use: CodeUse, email: string, device: string | undefined): RateLimit {
  return { key: `${guessKey(use, email, device)}:month`, max: 100, seconds: 30 * 86_400 }
}

function guessKey(use: CodeUse, email: string, device: string | undefined): string {
  const address = use === 'second-step' ? `second-step ${email}` : email
  return `mail-code-guesses:${sha256(`${address} ${device ?? ''}`)}`
}

/** Uses up the code that belongs to a link, if this browser requested it. */
export async function consumeMagicLink(
  tx: Tx,
  { cookies, now }: Omit<CookieContext, 'keys'>,
  token: string,
): Promise<{ email: string; name: string | undefined } | undefined> {
  const found = await lockCode(tx, cookies, 'sign-in')
  if (!found || found.stored.link !== sha256(token)) return undefined
  if (!(await deleteVerification(tx, found))) return undefined
  const { email, name } = found.stored
  return found.expiresAt > now ? { email, name } : undefined
}

async function lockCode(tx: Tx, cookies: Cookies, use: CodeUse) {
  const secret = cookies.getSecret(cookieName)
  if (secret === undefined) return undefined
  const identifier = identifierOf(`mail-code:${use}`, secret)
  const row = await lockVerification(tx, identifier)
  const stored = row && Stored.safeParse(JSON.parse(row.value)).data
  return row && stored ? { id: row.id, identifier, expiresAt: row.expiresAt, stored } : undefined
}

function contentOf(identifier: string, email: string, code: string): string {
  return `${identifier} ${email} ${code}`
}
