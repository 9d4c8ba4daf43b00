import type { FullUser } from '../../shared/account.ts'
import type { EventData } from '../../shared/event.ts'
import type { App } from '../dependencies.ts'
import { type EventOrigin } from '../event/event-rows.ts'
import { record } from '../event/record.ts'
import { listPasskeys } from '../factor/passkeys.ts'
import type { Tx } from '../foundation/database.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail, plainName } from '../mail/mail.ts'
import { deleteImpersonationsBy } from '../session/impersonations.ts'
import { lockSessionsOfAdministrator, lockUser } from '../session/locks.ts'
import {
  emailsOf,
  addRevokedEmails,
  deleteRevokedEmail,
  isRevokedEmail,
  listOtherAdministrators,
  grantAdministratorRole,
  revokeAdministratorRole,
} from './administrators.ts'
import { revokeAllAccess, reportRemovedFactors } from './revoke-all-access.ts'

/** Maximum number of other administrators notified of a new one. */
const maxNotified = 100

/** Sign-in methods that verify the password or access to the mailbox. Signing in with a provider is not enough. */
const promotingMethods: ReadonlySet<EventData<'user.signed_in'>['method']> = new Set([
  'password',
  'verification_link',
  'claim',
  'invitation',
  'email_code',
  'magic_link',
])

/**
 * Promotes a user listed in ADMIN_EMAILS to administrator when signing in by password or mailbox, and only if the email
 * address was entered at sign-up and verified through its mailbox: never by a provider or an unverified change of email
 * address (SEC-111). Unlinks all provider identities and ends all sessions they may have started. Returns the current
 * user.
 */
export async function promoteIfListed(
  ctx: App & EventOrigin,
  user: FullUser,
  method: EventData<'user.signed_in'>['method'],
): Promise<FullUser> {
  const { config, now } = ctx
  if (user.role === 'admin' || !user.emailVerified || !config.adminEmails.includes(user.email)) return user
  if (!promotingMethods.has(method)) return user
  return transaction(ctx, async (tx) => {
    await lockUser(tx, user.id)
    if (await isRevokedEmail(tx, user.email)) return user
    const only = {
      emailVerified: true,
      emailSource: 'sign_up' as const,
      OR: [{ bannedAt: null }, { banExpiresAt: { lte: now } }],
    }
    if (!(await grantAdministratorRole(tx, user.id, only))) return user
    if (await revokeAllAccess(tx, ctx, user)) await reportRemovedFactors(tx, ctx, user)
    await reportGrant(tx, ctx, user, 'setting')
    return { ...user, role: 'admin' as const }
  })
}

type RoleChange = EventData<'user.role_changed'>['by']

/**
 * Makes a user with a verified email address an administrator. Returns false if the user already is one. Ends all
 * sessions and unlinks all providers, like `promoteIfListed`. Lifts a revocation of this address, but not those of former
 * addresses. `isNew` is for an account that an administrator has just created, whose address no other person can have
 * claimed.
 */
export async function grantAdministrator(
  tx: Tx,
  ctx: App & EventOrigin,
  user: FullUser,
  { by, actorId, isNew = false }: { by: RoleChange; actorId?: string; isNew?: boolean },
): Promise<boolean> {
  await lockUser(tx, user.id)
  // The email address that was named. It may have changed before the row was locked.
  const only = { email: user.email, ...(!isNew && { emailVerified: true }) }
  if (!(await grantAdministratorRole(tx, user.id, only))) return false
  await deleteRevokedEmail(tx, user.email)
  if (await revokeAllAccess(tx, ctx, user)) await reportRemovedFactors(tx, ctx, user)
  await reportGrant(tx, ctx, user, by, actorId)
  return true
}

/**
 * Revokes the role. ADMIN_EMAILS no longer grants it to any of the user's email addresses. Returns false if the user is
 * not an administrator.
 */
export async function revokeAdministrator(
  tx: Tx,
  ctx: App & EventOrigin,
  user: FullUser,
  { by, actorId }: { by: RoleChange; actorId?: string },
): Promise<boolean> {
  const { now } = ctx
  await lockUser(tx, user.id)
  await addRevokedEmails(tx, await emailsOf(tx, user), now)
  if (!(await revokeAdministratorRole(tx, user.id))) return false
  // Ends all impersonations that this administrator had started.
  await lockSessionsOfAdministrator(tx, user.id)
  await deleteImpersonationsBy(tx, user.id)
  const data = { from: 'admin', to: 'user', by }
  await record(tx, ctx, { type: 'user.role_changed', actorId: actorId ?? null, subjectId: user.id, data })
  await ctx.outbox.enqueue(tx, composeMail('administratorRevoked', user, { now }), now)
  return true
}

/** Records a promotion, and emails the user and the other administrators. */
async function reportGrant(
  tx: Tx,
  ctx: App & EventOrigin,
  user: FullUser,
  by: RoleChange,
  actorId: string | null = null,
): Promise<void> {
  const { now, outbox } = ctx
  const data = { from: 'user', to: 'admin', by }
  await record(tx, ctx, { type: 'user.role_changed', actorId, subjectId: user.id, data })
  // With the role, every passkey of the user gives access to the administration, and another person may have added one.
  // Names can be chosen by that person; the number of passkeys and their dates cannot.
  const found = (await listPasskeys(tx, user.id)).map(({ name, createdAt }) => {
    const known = plainName(name ?? '')
    return `${known === '' ? '—' : `“${known}”`} ${createdAt.toISOString().slice(0, 10)}`
  })
  const passkeys = found.length === 0 ? '0' : `${found.length} (${found.join('; ')})`
  const link = `${ctx.config.appOrigin}/settings/security`
  await outbox.enqueue(tx, composeMail('administratorGranted', user, { now, link, values: { passkeys } }), now)
  for (const other of await listOtherAdministrators(tx, { id: user.id, limit: maxNotified })) {
    const mailContext = { now, values: { newAdministrator: user.name, newAdministratorEmail: user.email } }
    await outbox.enqueue(tx, composeMail('administratorAdded', other, mailContext), now)
  }
}
