import type { Passkey } from '../../prisma/client/client.ts'
import { record } from '../event/record.ts'
import { requireMayChangeFactors } from '../factor/assurance.ts'
import { findPasskey, removeOnePasskey, setPasskeyName } from '../factor/passkeys.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { CallerContext } from '../request/context.ts'
import { lockCaller } from '../session/locks.ts'

/** Removes a passkey of the caller. It can no longer be used to sign in. */
export async function removePasskey(ctx: CallerContext, id: string): Promise<void> {
  const { user, now } = ctx
  await transaction(ctx, async (tx) => {
    const locked = await lockCaller(tx, ctx)
    await requireMayChangeFactors(tx, { ...ctx, user: locked, secondFactor: locked.secondFactor })
    const found = (await findPasskey(tx, { id, userId: user.id })) ?? refuse('PASSKEY_NOT_FOUND')
    await removeOnePasskey(tx, { userId: user.id, id, keptSessionId: ctx.session.id })
    const name = found.name ?? ''
    await record(tx, ctx, { type: 'user.passkey_removed', actorId: user.id, data: { passkeyId: id, name } })
    await ctx.outbox.enqueue(tx, composeMail('passkeyRemoved', user, { ...ctx, values: { key: name || '—' } }), now)
  })
}

/** Gives a passkey of the caller another name. */
export async function renamePasskey(ctx: CallerContext, { id, name }: { id: string; name: string }): Promise<Passkey> {
  return (await setPasskeyName(ctx.db, { id, userId: ctx.user.id, name })) ?? refuse('PASSKEY_NOT_FOUND')
}
