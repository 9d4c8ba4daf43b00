import type { KeyList } from '../foundation/crypto.ts'
import type { Cookies } from '../foundation/cookies.ts'
import { signLink } from '../foundation/jwt.ts'
import type { Mail } from '../mail/mail.ts'
import type { Tx } from '../foundation/database.ts'
import type { Addressee, Cause } from '../mail/mail.ts'
import { composeMail } from '../mail/mail.ts'
import { createToken } from './tokens.ts'
import { secondsAfter } from '../foundation/time.ts'

/** Purpose of the link that verifies an email address. */
export const verifyPurpose = 'verify-email'

type Place = {
  keys: { links: KeyList }
  config: { appOrigin: string; basePath: string; verificationTokenLifetimeSeconds: number }
}

/** Composes the email that verifies an email address: a signed single-use link that names the user and the address. */
export async function verificationMail(
  { keys, config }: Place,
  user: Addressee & { id: string },
  cause: Cause & { callbackURL: string | undefined },
): Promise<Mail> {
  const { now } = cause
  const lifetimeSeconds = config.verificationTokenLifetimeSeconds
  const claims = { purpose: verifyPurpose, userId: user.id, email: user.email }
  const token = await signLink(keys.links, claims, { now, lifetimeSeconds })
  const query = new URLSearchParams({ token, callbackURL: cause.callbackURL || '/' })
  return composeMail('verifyEmail', user, {
    ...cause,
    link: `${config.appOrigin}${config.basePath}/verify-email?${query}`,
    expiresAt: secondsAfter(now, lifetimeSeconds),
    budget: 'verification',
  })
}

/** Purpose of the link with which the owner of a verified email address confirms changing it. */
export const changePurpose = 'change-email'

/**
 * Composes the email to the last verified email address: a signed link with both addresses, tied to a stored secret.
 */
export async function changeLinkMail(
  { keys, config }: Place,
  tx: Tx,
  user: Addressee & { id: string },
  cause: Cause & { to: string; newEmail: string; callbackURL: string | undefined },
): Promise<Mail> {
  const { to, newEmail, callbackURL, ...request } = cause
  const { now } = request
  const lifetimeSeconds = config.verificationTokenLifetimeSeconds
  const secret = await createToken(tx, 'change-email', { userId: user.id, email: to, now, lifetimeSeconds })
  const claims = { purpose: changePurpose, userId: user.id, email: user.email, newEmail, secret }
  const token = await signLink(keys.links, claims, { now, lifetimeSeconds })
  const query = new URLSearchParams({ token, callbackURL: callbackURL || '/' })
  return composeMail(
    'confirmEmailChange',
    { ...user, email: to },
    {
      ...request,
      values: { newEmail },
      link: `${config.appOrigin}${config.basePath}/verify-email?${query}`,
      expiresAt: secondsAfter(now, lifetimeSeconds),
      budget: 'confirmation',
    },
  )
}

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
