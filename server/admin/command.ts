import { FullUser, isEmail, normalizeEmail } from '../../shared/account.ts'
import { listAdministrators } from '../account/administrators.ts'
import { grantAdministrator, revokeAdministrator } from '../account/grant-administrator.ts'
import type { App } from '../dependencies.ts'
import type { Origin } from '../event/record.ts'
import { transaction } from '../foundation/database.ts'

const usage = 'Usage: npm run admin -- list | grant EMAIL | revoke EMAIL'

/** The result of a command: lines to print, and the exit status. */
type Outcome = { lines: string[]; status: 0 | 1 | 2 }

/**
 * `npm run admin -- list|grant EMAIL|revoke EMAIL`: manages the administrators of this installation. Grants and
 * revocations are recorded as events and mailed, as in the web interface.
 */
export async function runAdminCommand(app: App, [verb, typed = '', ...more]: string[]): Promise<Outcome> {
  const ctx: App & Origin = { ...app, now: app.clock(), ipAddress: '', userAgent: 'npm run admin', requestId: '' }
  if (verb === 'list' && typed === '') {
    const administrators = await listAdministrators(app.db)
    const lines = administrators.map(({ email, name }) => `${email}  ${name}`)
    return { lines: lines.length > 0 ? lines : ['There are no administrators.'], status: 0 }
  }
  const email = normalizeEmail(typed)
  if ((verb !== 'grant' && verb !== 'revoke') || !isEmail(email) || more.length > 0)
    return { lines: [usage], status: 2 }
  return transaction(ctx, async (tx): Promise<Outcome> => {
    const row = await tx.user.findUnique({ where: { email } })
    if (!row) return { lines: [`No user has the address ${email}.`], status: 1 }
    const user = FullUser.parse(row)
    // Another person may have signed up with this address.
    if (verb === 'grant' && !user.emailVerified) {
      return { lines: [`${email} is not verified: its owner has to follow the mailed link first.`], status: 1 }
    }
    const changed =
      verb === 'grant'
        ? await grantAdministrator(tx, ctx, user, { by: 'command' })
        : await revokeAdministrator(tx, ctx, user, { by: 'command' })
    const state = verb === 'grant' ? 'an administrator' : 'not an administrator'
    return { lines: [`${email} is ${changed ? 'now' : 'already'} ${state}.`], status: 0 }
  })
}
