import type { z } from 'zod'
import type { UnlinkAccount } from '../../shared/account.ts'
import { nameOfMethod } from '../../shared/provider.ts'
import { record } from '../event/record.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { CallerContext } from '../request/context.ts'
import { lockCaller } from '../session/locks.ts'
import { endOtherSessionsByMethod } from '../session/sessions.ts'
import { unlinkAccount } from './accounts.ts'

/**
 * The methods of sessions that a sign-in method may have started. For providers, sessions do not record which provider
 * it was.
 */
const methodsOf = (providerId: string) => (providerId === 'credential' ? ['password', 'password_change'] : ['provider'])

/**
 * Removes a sign-in method, ends other sessions started by that kind of method, notifies the owner by email, and
 * records an event.
 */
export async function unlinkOwnAccount(ctx: CallerContext, input: z.output<typeof UnlinkAccount>): Promise<void> {
  const { user, now } = ctx
  const options = { ...input, accountId: input.accountId, mayUnlinkLast: ctx.config.mayUnlinkLastAccount }
  await transaction(ctx, async (tx) => {
    await lockCaller(tx, ctx)
    await unlinkAccount(tx, { ...options, userId: user.id })
    // Another person who knows the password, or has linked the provider, may be signed in with it.
    const others = { userId: user.id, methods: methodsOf(input.providerId), exceptId: ctx.session.id }
    const count = await endOtherSessionsByMethod(tx, others)
    const provider = nameOfMethod(input.providerId)
    await ctx.outbox.enqueue(tx, composeMail('accountUnlinked', user, { ...ctx, values: { provider } }), now)
    const data = { provider: input.providerId }
    await record(tx, ctx, { type: 'user.account_unlinked', actorId: user.id, data })
    if (count > 0) {
      const ended = { except: ctx.session.id }
      await record(tx, ctx, { type: 'user.sessions_revoked', actorId: user.id, data: ended })
    }
  })
}
