import type { Cookies } from '../foundation/cookies.ts'

/**
 * Marks the sign-up browser for an hour, so that the emailed link verifies and signs in there without asking; any other
 * browser asks first (SEC-110). A sign-in with the correct password sets the mark too, so it can finish in that
 * browser.
 */
const cookieName = 'foyer.sign_up'

const lifetimeSeconds = 3600

/** Set by every sign-up. For an existing email address, it names a user that does not exist. */
export function rememberSignUp(cookies: Cookies, userId: string, now: Date): void {
  cookies.setSigned(
    cookieName,
    `${encodeId(userId)}~${(now.getTime() + lifetimeSeconds * 1000).toString(36)}`,
    lifetimeSeconds,
  )
}

/** Whether this browser signed this user up, or signed in with the correct password, within the last hour. */
export function isSignUpBrowser(cookies: Cookies, userId: string, now: Date): boolean {
  const [markedId, until = ''] = cookies.getSigned(cookieName)?.split('~') ?? []
  return markedId === encodeId(userId) && Number.parseInt(until, 36) > now.getTime()
}

/** Imported ids of earlier versions may contain any character. */
const encodeId = (userId: string) => encodeURIComponent(userId).replaceAll('~', '%7E')

export function forgetSignUp(cookies: Cookies): void {
  if (cookies.get(cookieName) !== undefined) cookies.clear(cookieName)
}
