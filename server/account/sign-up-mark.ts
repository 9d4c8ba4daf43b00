import type { Cookies } from '../foundation/cookies.ts'

/**
 * Marks the sign-up browser for an hour, so that the emailed link verifies and signs in there without asking; any other
 * browser asks first (SEC-110). A sign-in with the correct password sets the mark too, so it can finish in that browser.
 */
const signUpMark = 'foyer.sign_up'

const markSeconds = 3600

/** Set by every sign-up. For an existing email address, it names a user that does not exist. */
export function markSignUp(cookies: Cookies, userId: string, now: Date): void {
  cookies.setSigned(signUpMark, `${userId}~${(now.getTime() + markSeconds * 1000).toString(36)}`, markSeconds)
}

/** Returns whether this browser signed this user up within the last hour. */
export function didSignUpHere(cookies: Cookies, userId: string, now: Date): boolean {
  const [markedId, until = ''] = cookies.getSigned(signUpMark)?.split('~') ?? []
  return markedId === userId && Number.parseInt(until, 36) > now.getTime()
}

export function clearSignUpMark(cookies: Cookies): void {
  if (cookies.get(signUpMark) !== undefined) cookies.clear(signUpMark)
}
