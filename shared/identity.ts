import type { RefusalKey } from './errors.ts'

/** Identifiers that users enter to sign in, and their rules. Without zod, so that the sign-in page is small. */

/** Trims the text and lower-cases only ASCII letters. */
export function normalizeEmail(typed: string): string {
  return asciiLower(typed.trim())
}

/** Lower-cases A to Z only. Other letters, such as the Kelvin sign, never become ASCII letters. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Whether the text is an RFC 5321 dot-string address with at least two domain labels, at most 254 characters. */
export function isEmail(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  if (more.length > 0 || text.length > 254 || local.length > 64) return false
  const isLocal = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local)
  const isDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(domain)
  return isLocal && isDomain && text === text.trimEnd()
}

/** The part of an email address before the @, which stands for a name that is not known. */
export function localPart(email: string): string {
  return email.split('@')[0] ?? email
}

/** Lower-cases a username for comparison and storage. The form entered by the user is displayed. */
export function normalizeUsername(typed: string): string {
  return typed.toLowerCase()
}

/** Validates a username: 3 to 30 ASCII letters, digits, `_` and `.`. Returns the refusal key, if any. */
export function usernameProblem(typed: string): RefusalKey | undefined {
  const username = normalizeUsername(typed)
  if (username.length < 3) return 'USERNAME_IS_TOO_SHORT'
  if (username.length > 30) return 'USERNAME_IS_TOO_LONG'
  // Both forms are checked, because characters such as the Kelvin sign become ASCII when lower-cased.
  if (!/^[a-z0-9_.]+$/.test(username) || username.endsWith('\n') || !/^[\x20-\x7e]+$/.test(typed)) {
    return 'USERNAME_IS_INVALID'
  }
  return undefined
}

export type PasswordLength = { min: number; max: number }

/** Validates a password's length in code points. All characters count, and none is changed (SEC-01). */
export function passwordProblem(password: string, length: PasswordLength): RefusalKey | undefined {
  // A code point has at most two UTF-16 units, so very long input is refused without counting.
  if (password.length > length.max * 2) return 'PASSWORD_TOO_LONG'
  const points = [...password].length
  if (points < length.min) return 'PASSWORD_TOO_SHORT'
  if (points > length.max) return 'PASSWORD_TOO_LONG'
  return undefined
}
