import type { KeyList } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import { signLinkToken } from '../foundation/link-tokens.ts'
import { secondsAfter } from '../foundation/time.ts'
import { type MailRecipient, type MailContext, composeMail, type Mail } from '../mail/mail.ts'
import { createToken } from './tokens.ts'

/** Purpose of the link that verifies an email address. */
export const verifyPurpose = 'verify-email'

type LinkContext = {
  keys: { links: KeyList }
  config: { appOrigin: string; basePath: string; verificationTokenLifetimeSeconds: number }
}

/** Composes the email that verifies an email address: a signed single-use link that names the user and the address. */
export async function verificationMail(
  { keys, config }: LinkContext,
  user: MailRecipient & { id: string },
  context: MailContext & { callbackURL: string | undefined },
): Promise<Mail> {
  const { now } = context
  const lifetimeSeconds = config.verificationTokenLifetimeSeconds
  const claims = { purpose: verifyPurpose, userId: user.id, email: user.email }
  const token = await signLinkToken(keys.links, claims, { now, lifetimeSeconds })
  const query = new URLSearchParams({ token, callbackURL: context.callbackURL || '/' })
  return composeMail('verifyEmail', user, {
    ...context,
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
  { keys, config }: LinkContext,
  tx: Tx,
  user: MailRecipient & { id: string },
  context: MailContext & { to: string; newEmail: string; callbackURL: string | undefined },
): Promise<Mail> {
  const { to, newEmail, callbackURL, ...request } = context
  const { now } = request
  const lifetimeSeconds = config.verificationTokenLifetimeSeconds
  const secret = await createToken(tx, 'change-email', { userId: user.id, email: to, now, lifetimeSeconds })
  const claims = { purpose: changePurpose, userId: user.id, email: user.email, newEmail, secret }
  const token = await signLinkToken(keys.links, claims, { now, lifetimeSeconds })
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
