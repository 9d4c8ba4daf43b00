import { hash } from 'node:crypto'
import type { z } from 'zod'
import type { Passkey } from '../../prisma/client/client.ts'
import type { GenerateRegisterOptions, VerifyRegistration } from '../../shared/passkey.ts'
import { record } from '../event/record.ts'
import { requireMayChangeFactors } from '../factor/assurance.ts'
import {
  countPasskeys,
  descriptorsOf,
  insertPasskey,
  listPasskeys,
  maxPasskeys,
  storeChallenge,
  consumeChallenge,
} from '../factor/passkeys.ts'
import { newId } from '../foundation/crypto.ts'
import { violatedUnique } from '../foundation/database-errors.ts'
import { withoutUndefined } from '../foundation/records.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { hasVerifiedEmail } from '../foundation/verified-email.ts'
import { composeMail } from '../mail/mail.ts'
import type { CallerContext } from '../request/context.ts'
import { lockCaller } from '../session/locks.ts'
import { cancelPendingRemoval } from './cancel-factor-removal.ts'
import { confirmSession, setConfirmedCookies } from './confirm-session.ts'
import { loadWebAuthn } from './web-authn.ts'

/** The options with which the browser creates a passkey: discoverable if possible, and unlocked by its user. */
export async function startRegistration(
  ctx: CallerContext,
  { authenticatorAttachment }: z.output<typeof GenerateRegisterOptions>,
) {
  await requireMayChangeFactors(ctx.db, ctx)
  const { config, user, now } = ctx
  const { generateRegistrationOptions } = await loadWebAuthn()
  const options = await generateRegistrationOptions({
    rpName: config.brand.product,
    rpID: new URL(config.appOrigin).hostname,
    // Reveals nothing about the user, and is the same each time: an authenticator keeps one passkey per account.
    userID: Uint8Array.from(hash('sha256', `passkey ${user.id}`, 'buffer')),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    excludeCredentials: descriptorsOf(await listPasskeys(ctx.db, user.id)),
    authenticatorSelection: {
      residentKey: 'preferred',
      userVerification: 'required',
      ...(authenticatorAttachment && { authenticatorAttachment }),
    },
  })
  const { challenge } = options
  await storeChallenge(ctx.db, ctx.cookies, { use: 'registration', challenge, userId: user.id, now })
  return { ...withoutUndefined(options) }
}

/** Adds a passkey that the browser has created for this challenge and origin, and that its user has unlocked. */
export async function addPasskey(
  ctx: CallerContext,
  { response, name }: z.output<typeof VerifyRegistration>,
): Promise<Passkey> {
  const { config, user, now } = ctx
  const taken =
    (await consumeChallenge(ctx.db, ctx.cookies, { use: 'registration', now })) ?? refuse('CHALLENGE_NOT_FOUND')
  if (taken.userId !== user.id) refuse('YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY')
  const { id, rawId, type, response: created } = response
  const { clientDataJSON, attestationObject, transports } = created
  const attested = { clientDataJSON, attestationObject, ...(transports && { transports }) }
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const verified = await verifyRegistrationResponse({
    response: { id, rawId, type, response: attested, clientExtensionResults: {} },
    expectedChallenge: taken.challenge,
    expectedOrigin: config.appOrigin,
    expectedRPID: new URL(config.appOrigin).hostname,
    requireUserVerification: true,
  }).catch((error: unknown) => refuse('FAILED_TO_VERIFY_REGISTRATION', { cause: error }))
  if (!verified.verified) refuse('FAILED_TO_VERIFY_REGISTRATION')
  const { credential, credentialDeviceType, credentialBackedUp } = verified.registrationInfo
  // At most 1,023 bytes (WebAuthn Level 3, 5.1).
  if (Buffer.from(credential.id, 'base64url').length > 1023) refuse('FAILED_TO_VERIFY_REGISTRATION')
  const { passkey, sessionToken } = await transaction(ctx, async (tx) => {
    const locked = await lockCaller(tx, ctx)
    const { emailVerified, previousEmail } = locked
    // Checked again under the lock: another browser may have added a factor since.
    await requireMayChangeFactors(tx, { ...ctx, user: locked, secondFactor: locked.secondFactor })
    if ((await countPasskeys(tx, user.id)) >= maxPasskeys) refuse('PASSKEY_LIMIT_REACHED')
    const passkey = await insertPasskey(tx, {
      id: newId(),
      userId: user.id,
      name: name || null,
      credentialID: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64'),
      counter: credential.counter,
      deviceType: credentialDeviceType,
      backedUp: credentialBackedUp,
      transports: transports?.join(',') ?? null,
      isUnverified: !hasVerifiedEmail({ emailVerified, previousEmail }),
      createdAt: now,
    })
    // The new one is not lost, and would be removed with the others.
    await cancelPendingRemoval(tx, ctx, user)
    // The user has just unlocked the passkey in this session.
    const sessionToken = await confirmSession(tx, ctx, 'passkey')
    await record(tx, ctx, {
      type: 'user.passkey_added',
      actorId: user.id,
      data: { passkeyId: passkey.id, name: name ?? '' },
    })
    await ctx.outbox.enqueue(tx, composeMail('passkeyAdded', user, { ...ctx, values: { key: name || '—' } }), now)
    return { passkey, sessionToken }
  }).catch((error: unknown) => {
    // The same key again, or one of another user.
    if (violatedUnique(error)) refuse('FAILED_TO_VERIFY_REGISTRATION')
    throw error
  })
  if (sessionToken !== undefined) setConfirmedCookies(ctx, sessionToken)
  return passkey
}
