import { FullUser } from '../../shared/account.ts'
import { isEmail, normalizeEmail } from '../../shared/identity.ts'
import { listAdministrators } from '../account/administrators.ts'
import { grantAdministrator, revokeAdministrator } from '../account/grant-administrator.ts'
import type { App } from '../dependencies.ts'
import { type EventOrigin } from '../event/event-rows.ts'
import { originWithoutRequest, record } from '../event/record.ts'
import { userHasSecondFactor } from '../factor/assurance.ts'
import { removeAllFactors } from '../factor/factors.ts'
import type { Tx } from '../foundation/database.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import { lockUser } from '../session/locks.ts'
import { revokeSessions } from '../session/sessions.ts'
import { findUserByEmail } from '../session/users.ts'

const usage = 'Usage: npm run admin -- list | grant EMAIL | revoke EMAIL | remove-factors EMAIL'

/** The result of a command: lines to print, and the exit status. */
type Outcome = { lines: string[]; status: 0 | 1 | 2 }

/**
 * `npm run admin -- list|grant EMAIL|revoke EMAIL|remove-factors EMAIL`: manages the administrators of this
 * installation, and removes second factors that were lost. Changes are recorded as events and reported by email, as in
 * the web interface.
 */
export async function runAdminCommand(app: App, [verb, typed = '', ...more]: string[]): Promise<Outcome> {
  const ctx: App & EventOrigin = { ...app, ...originWithoutRequest(app, 'npm run admin') }
  if (verb === 'list' && typed === '') {
    const administrators = await listAdministrators(app.db)
    const lines = administrators.map(({ email, name }) => `${email}  ${name}`)
    return { lines: lines.length > 0 ? lines : ['There are no administrators.'], status: 0 }
  }
  const email = normalizeEmail(typed)
  if (!['grant', 'revoke', 'remove-factors'].includes(verb ?? '') || !isEmail(email) || more.length > 0)
    return { lines: [usage], status: 2 }
  return transaction(ctx, async (tx): Promise<Outcome> => {
    const row = await findUserByEmail(tx, email)
    if (!row) return { lines: [`No user has the email address ${email}.`], status: 1 }
    const user = FullUser.parse(row)
    if (verb === 'remove-factors') return removeFactorsOf(tx, ctx, user)
    // Another person may have signed up with this email address.
    if (verb === 'grant' && !user.emailVerified) {
      return { lines: [`${email} is not verified: the user has to follow the emailed link first.`], status: 1 }
    }
    const changed =
      verb === 'grant'
        ? await grantAdministrator(tx, ctx, user, { by: 'command' })
        : await revokeAdministrator(tx, ctx, user, { by: 'command' })
    const state = verb === 'grant' ? 'an administrator' : 'not an administrator'
    return { lines: [`${email} is ${changed ? 'now' : 'already'} ${state}.`], status: 0 }
  })
}

/**
 * Takes effect immediately, because anyone who can start this command may also write to the database. The user is
 * notified by email.
 */
async function removeFactorsOf(tx: Tx, ctx: App & EventOrigin, user: FullUser): Promise<Outcome> {
  const row = (await lockUser(tx, user.id)) ?? user
  if (!(await userHasSecondFactor(tx, row))) return { lines: [`${user.email} has no second factor.`], status: 0 }
  await removeAllFactors(tx, user.id)
  await revokeSessions(tx, user.id)
  await record(tx, ctx, { type: 'user.two_factor_disabled', subjectId: user.id, data: {} })
  await record(tx, ctx, { type: 'user.sessions_revoked', subjectId: user.id, data: { except: null } })
  await ctx.outbox.enqueue(tx, composeMail('twoFactorDisabled', user, { now: ctx.now }), ctx.now)
  return { lines: [`The second factors of ${user.email} have been removed.`], status: 0 }
}
