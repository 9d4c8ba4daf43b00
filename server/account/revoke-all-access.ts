import type { App } from '../dependencies.ts'
import { type EventOrigin } from '../event/event-rows.ts'
import { recordAll } from '../event/record.ts'
import { removeUnverifiedFactors } from '../factor/factors.ts'
import { revokeTrustedDevices } from '../factor/trusted-devices.ts'
import type { Tx } from '../foundation/database.ts'
import { type MailRecipient, composeMail } from '../mail/mail.ts'
import { lockMethods, lockSessions } from '../session/locks.ts'
import { revokeSessions } from '../session/sessions.ts'
import { deleteLastingAccess } from '../token/api-keys.ts'
import { findPassword } from './credentials.ts'
import { deleteIdentities } from './identities.ts'
import { deletePendingVerifications } from './tokens.ts'

type AccountUser = MailRecipient & { id: string }

/**
 * Ends all sessions of a user whose row is locked, unlinks all providers, removes the API keys and the factors that
 * were added before the email address was verified, and ends the trust in browsers. Locks sessions and identities
 * first: a concurrent transaction that starts a session from an identity, or links an identity from a session, holds
 * one of these locks and has committed by the time the rows are deleted. Returns whether factors were removed;
 * `reportRemovedFactors` then notifies the owner once the address is verified.
 */
export async function revokeAllAccess(tx: Tx, ctx: App & EventOrigin, user: AccountUser): Promise<boolean> {
  const userId = user.id
  await lockSessions(tx, userId)
  await lockMethods(tx, userId)
  await revokeSessions(tx, userId)
  // Another person may have linked them.
  await deleteIdentities(tx, userId)
  await deleteLastingAccess(tx, userId)
  await revokeTrustedDevices(tx, userId)
  return removeUnverifiedFactorsAndRecord(tx, ctx, user)
}

/**
 * Cleans up after an email address was verified within a session. Deletes what another person may have left behind
 * (SEC-13): open tokens, factors, and linked identities if a password remains as a sign-in method.
 */
export async function cleanUpAfterVerification(tx: Tx, ctx: App & EventOrigin, user: AccountUser): Promise<void> {
  if (await findPassword(tx, user.id)) await deleteIdentities(tx, user.id)
  if (await removeUnverifiedFactorsAndRecord(tx, ctx, user)) await reportRemovedFactors(tx, ctx, user)
  await deletePendingVerifications(tx, user.id)
}

/** Removes the factors that were added before the email address was verified. Returns whether there were any. */
async function removeUnverifiedFactorsAndRecord(tx: Tx, ctx: App & EventOrigin, user: AccountUser): Promise<boolean> {
  const { passkeys, hadApp } = await removeUnverifiedFactors(tx, user.id)
  if (passkeys.length === 0 && !hadApp) return false
  const subject = { actorId: null, subjectId: user.id }
  await recordAll(tx, ctx, [
    ...passkeys.map(({ id, name }) => ({
      type: 'user.passkey_removed' as const,
      ...subject,
      data: { passkeyId: id, name: name ?? '' },
    })),
    ...(hadApp ? [{ type: 'user.two_factor_disabled' as const, ...subject, data: {} }] : []),
  ])
  return true
}

/**
 * Emails the owner of a now verified email address, who may have added the factors. Before the verification, strangers
 * could trigger this email, and use up its limit.
 */
export async function reportRemovedFactors(tx: Tx, ctx: App & EventOrigin, user: AccountUser): Promise<void> {
  const link = `${ctx.config.appOrigin}/settings/security`
  await ctx.outbox.enqueue(tx, composeMail('unverifiedFactorsRemoved', user, { now: ctx.now, link }), ctx.now)
}
