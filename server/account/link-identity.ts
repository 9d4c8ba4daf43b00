import type { CallbackCode } from '../../shared/errors.ts'
import { nameOfMethod, type ProviderId } from '../../shared/provider.ts'
import { record } from '../event/record.ts'
import { isUnavailable, violatedUnique } from '../foundation/database-errors.ts'
import type { Tx } from '../foundation/database.ts'
import { OAuthCallbackError } from '../foundation/refusal.ts'
import type { Profile, Tokens } from '../foundation/social/provider.ts'
import { transaction } from '../foundation/transactions.ts'
import { type MailRecipient, composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'
import { lockSession, lockUser } from '../session/locks.ts'
import { createIdentity, findIdentity, updateIdentityTokens } from './identities.ts'

/** Records a new sign-in method and emails the account owner (SEC-113). */
export async function reportLink(
  tx: Tx,
  ctx: Context,
  user: MailRecipient & { id: string },
  { provider, automatic }: { provider: ProviderId; automatic: boolean },
): Promise<void> {
  const values = { provider: nameOfMethod(provider) }
  await ctx.outbox.enqueue(tx, composeMail('accountLinked', user, { ...ctx, values }), ctx.now)
  await record(tx, ctx, { type: 'user.account_linked', actorId: user.id, data: { provider, automatic } })
}

type IdentityLink = { caller: Caller; provider: ProviderId; profile: Profile; tokens: Tokens; scopes: string[] }

/** Links an identity to the signed-in user, unless it already belongs to another user. */
export async function linkIdentity(
  ctx: Context,
  { caller, provider, profile, tokens, scopes }: IdentityLink,
): Promise<void> {
  const key = { providerId: provider, accountId: profile.id }
  const storedTokens = { tokens, requestedScopes: scopes, keys: ctx.keys.storage, now: ctx.now }
  const attempt = () =>
    transaction(ctx, async (tx) => {
      // If the session ended during the request to the provider, nothing is linked.
      const { session } = caller
      const user = await lockUser(tx, caller.user.id)
      if (!user || !(await lockSession(tx, session.id))) throw new OAuthCallbackError('please_restart_the_process')
      const known = await findIdentity(tx, key)
      if (known && known.userId !== user.id) throw new OAuthCallbackError('account_already_linked_to_different_user')
      if (known) await updateIdentityTokens(tx, known.id, storedTokens)
      else {
        await createIdentity(tx, { ...key, userId: user.id }, storedTokens)
        await reportLink(tx, ctx, user, { provider, automatic: false })
      }
    })
  await retryOnConflict(attempt, 'unable_to_link_account')
}

/** Returns whether this identity is linked to this user; used to re-authenticate at a provider. */
export async function isOwnIdentity(
  ctx: Context,
  userId: string,
  { provider, profile }: { provider: ProviderId; profile: Profile },
) {
  const known = await findIdentity(ctx.db, { providerId: provider, accountId: profile.id })
  return known?.userId === userId
}

const maxAttempts = 4

/**
 * Concurrent sign-ups with one identity conflict at a unique index; the later one retries and finds the other's user.
 */
export async function retryOnConflict<Result>(attempt: () => Promise<Result>, failure: CallbackCode): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      if (violatedUnique(error) && attempts < maxAttempts) continue
      if (error instanceof OAuthCallbackError || isUnavailable(error)) throw error
      throw new OAuthCallbackError(failure, error)
    }
  }
}
