import type { z } from 'zod'
import { FullUser, ShortUser } from '../../shared/account.ts'
import type { SignedInByPasskey, VerifyAuthentication } from '../../shared/passkey.ts'
import { record } from '../event/record.ts'
import {
  descriptorsOf,
  findPasskeyByCredential,
  listPasskeys,
  recordPasskeyUse,
  storeChallenge,
  consumeChallenge,
} from '../factor/passkeys.ts'
import { findStep } from '../factor/pending-steps.ts'
import { withoutUndefined } from '../foundation/records.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import { lockUser } from '../session/locks.ts'
import { requireStarted, startSession } from '../sign-in/start-session.ts'
import { cancelPendingRemoval } from './cancel-factor-removal.ts'
import { loadWebAuthn } from './web-authn.ts'

/**
 * The options with which the browser uses a passkey. In a session, or at the second step of a sign-in, one of that
 * user's. Otherwise any that the browser has for this site: the response does not reveal which users have a passkey.
 */
export async function startAuthentication(ctx: Context) {
  const { config, db, cookies, now } = ctx
  const step = await findStep(db, cookies, now)
  const caller = await ctx.caller()
  const isOwn = caller !== undefined && !caller.verifiedCredential && caller.session.impersonatedBy === undefined
  const userId = step?.userId ?? (isOwn ? caller.user.id : null)
  const known = userId === null ? [] : await listPasskeys(db, userId)
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID: new URL(config.appOrigin).hostname,
    userVerification: 'required',
    ...(known.length > 0 && { allowCredentials: descriptorsOf(known) }),
  })
  await storeChallenge(db, cookies, { use: 'authentication', challenge: options.challenge, userId: null, now })
  return { ...withoutUndefined(options) }
}

/**
 * Signs in with a passkey that its user has unlocked, which counts as two factors. It also completes the second step of
 * a sign-in, and makes the user's existing session fresh.
 */
export async function signInByPasskey(
  ctx: Context,
  { response, userId }: z.output<typeof VerifyAuthentication>,
): Promise<z.output<typeof SignedInByPasskey>> {
  const { config, db, cookies, now } = ctx
  const taken = (await consumeChallenge(db, cookies, { use: 'authentication', now })) ?? refuse('CHALLENGE_NOT_FOUND')
  const found = (await findPasskeyByCredential(db, response.id)) ?? refuse('UNKNOWN_PASSKEY')
  if (userId !== undefined && found.userId !== userId) refuse('UNKNOWN_PASSKEY')
  const caller = await ctx.caller()
  if (caller?.session.impersonatedBy !== undefined) refuse('NOT_WHILE_IMPERSONATING')
  const { id, rawId, type, response: signed } = response
  const { clientDataJSON, authenticatorData, signature, userHandle } = signed
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) },
      clientExtensionResults: {},
    },
    expectedChallenge: taken.challenge,
    expectedOrigin: config.appOrigin,
    expectedRPID: new URL(config.appOrigin).hostname,
    // The counter is compared below, where two concurrent uses are detected.
    credential: {
      id: found.credentialID,
      publicKey: Uint8Array.from(Buffer.from(found.publicKey, 'base64')),
      counter: 0,
    },
    requireUserVerification: true,
  }).catch((error: unknown) => refuse('AUTHENTICATION_FAILED', { cause: error }))
  if (!verified) refuse('AUTHENTICATION_FAILED')
  const { newCounter, credentialBackedUp: backedUp } = authenticationInfo
  const user = await transaction(ctx, async (tx) => {
    const row = (await lockUser(tx, found.userId)) ?? refuse('UNKNOWN_PASSKEY')
    if (await recordPasskeyUse(tx, { id: found.id, counter: newCounter, backedUp, now })) {
      await cancelPendingRemoval(tx, ctx, row)
      return row
    }
    const data = { passkeyId: found.id, name: found.name ?? '' }
    await record(tx, ctx, { type: 'user.passkey_refused', subjectId: row.id, data })
    const mailContext = { ...ctx, link: `${config.appOrigin}/settings/security`, budget: 'notice' as const }
    const values = { key: found.name || '—' }
    await ctx.outbox.enqueue(tx, composeMail('passkeyRefused', row, { ...mailContext, values }), now)
    return undefined
  })
  if (!user) refuse('AUTHENTICATION_FAILED')
  if (!user.emailVerified && config.emailVerification === 'required') refuse('EMAIL_NOT_VERIFIED')
  const own = caller?.user.id === user.id ? caller : undefined
  const result = await startSession(ctx, FullUser.parse(user), {
    method: 'passkey',
    secondFactor: 'passkey',
    basis: { passkeyId: found.id },
    ...(own && { remembered: own.remembered, activeOrganizationId: own.session.activeOrganizationId ?? undefined }),
  })
  const started = requireStarted(result, 'AUTHENTICATION_FAILED')
  if (started.outcome !== 'created') refuse('AUTHENTICATION_FAILED')
  return { session: started.session, user: ShortUser.parse(started.user) }
}
