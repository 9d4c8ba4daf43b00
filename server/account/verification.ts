import type { Cookies } from '../foundation/cookies.ts'
import { signLink } from '../foundation/jwt.ts'
import type { Mail } from '../foundation/mail.ts'
import type { Tx } from '../foundation/db.ts'
import type { Addressee, Cause } from '../foundation/wording.ts'
import { accountMail } from './mails.ts'
import { createToken } from './tokens.ts'

/** Purpose of the link that proves an address. */
export const verifyPurpose = 'verify-email'

type Place = {
  keys: { links: Buffer }
  config: { appOrigin: string; basePath: string; verificationTokenLifetimeSeconds: number }
}

/** The mail that proves an address: a signed link that names user and address, good for one proof. */
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
  return accountMail('verifyEmail', user, {
    ...cause,
    link: `${config.appOrigin}${config.basePath}/verify-email?${query}`,
    expiresAt: new Date(now.getTime() + lifetimeSeconds * 1000),
    isLimited: true,
  })
}

/** Purpose of the link by which the owner of a proven address agrees to leave it. */
export const changePurpose = 'change-email'

/** The mail to the current address: a signed link that names user, old and new address, and dies with its stored secret. */
export async function changeLinkMail(
  { keys, config }: Place,
  tx: Tx,
  user: Addressee & { id: string },
  cause: Cause & { newEmail: string; callbackURL: string | undefined },
): Promise<Mail> {
  const { now, newEmail } = cause
  const lifetimeSeconds = config.verificationTokenLifetimeSeconds
  const secret = await createToken(tx, 'change-email', { userId: user.id, now, lifetimeSeconds })
  const claims = { purpose: changePurpose, userId: user.id, email: user.email, newEmail, secret }
  const token = await signLink(keys.links, claims, { now, lifetimeSeconds })
  const query = new URLSearchParams({ token, callbackURL: cause.callbackURL || '/' })
  return accountMail('confirmEmailChange', user, {
    ...cause,
    link: `${config.appOrigin}${config.basePath}/verify-email?${query}`,
    expiresAt: new Date(now.getTime() + lifetimeSeconds * 1000),
    isLimited: true,
  })
}

/** Marks the browser of a sign-up for an hour, so that the mailed link signs in there and nowhere else (R53). */
const signUpMark = 'foyer.sign_up'
const markSeconds = 3600

/** Set by every sign-up alike. For an address that exists it names a user who does not. */
export function markSignUp(cookies: Cookies, userId: string, now: Date): void {
  cookies.setSigned(signUpMark, `${userId}~${(now.getTime() + markSeconds * 1000).toString(36)}`, markSeconds)
}

/** Did this browser sign this user up, within the hour? */
export function didSignUpHere(cookies: Cookies, userId: string, now: Date): boolean {
  const [markedId, until = ''] = cookies.getSigned(signUpMark)?.split('~') ?? []
  return markedId === userId && Number.parseInt(until, 36) > now.getTime()
}

export function clearSignUpMark(cookies: Cookies): void {
  if (cookies.get(signUpMark) !== undefined) cookies.clear(signUpMark)
}
