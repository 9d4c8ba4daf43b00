import type { FullUser } from '../../shared/account.ts'
import type { EventData } from '../../shared/event.ts'
import type { App } from '../dependencies.ts'
import { type Origin, record } from '../event/record.ts'
import { type Tx, transaction } from '../foundation/database.ts'
import { composeMail } from '../mail/mail.ts'
import { lockUser } from '../session/locks.ts'
import { addressesOf } from './administrators.ts'
import { removeForeignAccess } from './credentials.ts'

/** How many other administrators are notified of a new one. */
const maxNotified = 100

/** Ways to sign in that show the password or the mailbox; a provider's word is none of them. */
const promoting: ReadonlySet<EventData<'user.signed_in'>['method']> = new Set([
  'password',
  'verification_link',
  'claim',
  'invitation',
])

/**
 * Makes an administrator of a user whom ADMIN_EMAILS names, at a sign-in by password or mailbox, and only when the address was
 * entered at sign-up and verified by its mailbox: never on a provider's word and never by a change of address (SEC-111). What
 * a provider may have opened before is closed: its identities are unlinked and every session ends. Answers the user as it is.
 */
export async function promote(
  ctx: App & Origin,
  user: FullUser,
  method: EventData<'user.signed_in'>['method'],
): Promise<FullUser> {
  const { config, now } = ctx
  if (user.role === 'admin' || !user.emailVerified || !config.adminEmails.includes(user.email)) return user
  if (!promoting.has(method)) return user
  return transaction(ctx, async (tx) => {
    await lockUser(tx, user.id)
    if (await tx.revokedAdministrator.findUnique({ where: { email: user.email } })) return user
    const { count } = await tx.user.updateMany({
      where: {
        id: user.id,
        role: 'user',
        emailVerified: true,
        emailSource: 'sign_up',
        OR: [{ bannedAt: null }, { banExpiresAt: { lte: now } }],
      },
      data: { role: 'admin' },
    })
    if (count === 0) return user
    await removeForeignAccess(tx, user.id)
    await reportGrant(tx, ctx, user, 'setting')
    return { ...user, role: 'admin' as const }
  })
}

type RoleChange = 'setting' | 'command' | 'administrator'

/**
 * Makes an administrator of a user with a verified address; false when the user is one already. Sessions end and providers
 * are unlinked, as with a promotion. A revocation of this address is lifted; those of former addresses hold.
 */
export async function grantAdministrator(tx: Tx, ctx: App & Origin, user: FullUser, by: RoleChange): Promise<boolean> {
  await lockUser(tx, user.id)
  await tx.revokedAdministrator.deleteMany({ where: { email: user.email } })
  const { count } = await tx.user.updateMany({
    where: { id: user.id, role: 'user', emailVerified: true },
    data: { role: 'admin' },
  })
  if (count === 0) return false
  await removeForeignAccess(tx, user.id)
  await reportGrant(tx, ctx, user, by)
  return true
}

/** Takes the role away; ADMIN_EMAILS does not give it back to any of the user's addresses. False when the user has it not. */
export async function revokeAdministrator(
  tx: Tx,
  ctx: App & Origin,
  user: FullUser,
  { by, actorId }: { by: RoleChange; actorId?: string },
): Promise<boolean> {
  const { now } = ctx
  await lockUser(tx, user.id)
  const revoked = (await addressesOf(tx, user)).map((email) => ({ email, revokedAt: now }))
  await tx.revokedAdministrator.createMany({ data: revoked, skipDuplicates: true })
  const { count } = await tx.user.updateMany({ where: { id: user.id, role: 'admin' }, data: { role: 'user' } })
  if (count === 0) return false
  const data = { from: 'admin', to: 'user', by }
  await record(tx, ctx, { type: 'user.role_changed', actorId: actorId ?? null, subjectId: user.id, data })
  await ctx.outbox.enqueue(tx, composeMail('administratorRevoked', user, { now }), now)
  return true
}

/** The event of a promotion, and the mails to the person and to all other administrators. */
async function reportGrant(tx: Tx, ctx: App & Origin, user: FullUser, by: RoleChange): Promise<void> {
  const { now, outbox } = ctx
  await record(tx, ctx, { type: 'user.role_changed', subjectId: user.id, data: { from: 'user', to: 'admin', by } })
  await outbox.enqueue(tx, composeMail('administratorGranted', user, { now }), now)
  const others = await tx.user.findMany({
    where: { role: 'admin', id: { not: user.id } },
    orderBy: { id: 'asc' },
    take: maxNotified,
  })
  for (const other of others) {
    const cause = { now, values: { newAdministrator: user.name, newAdministratorEmail: user.email } }
    await outbox.enqueue(tx, composeMail('administratorAdded', other, cause), now)
  }
}
