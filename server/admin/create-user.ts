import type { z } from 'zod'
import { FullUser } from '../../shared/account.ts'
import type { AdministeredUser, CreateUser } from '../../shared/admin.ts'
import { usernameProblem } from '../../shared/identity.ts'
import { storePassword } from '../account/credentials.ts'
import { grantAdministrator } from '../account/grant-administrator.ts'
import { newPasswordProblem } from '../account/password.ts'
import { findUserByReservedEmail, insertUser, newUser } from '../account/users.ts'
import { record } from '../event/record.ts'
import { violatedUnique } from '../foundation/database-errors.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { CallerContext } from '../request/context.ts'
import { lockAdministratorsAndCaller } from './lock.ts'
import { toAdministeredUser } from './users.ts'

/**
 * Creates a user with a password. The email address counts as verified only if the administrator says so. Only then
 * can the user get an email, if the administrator asks for one.
 */
export async function createUserForAdministrator(
  ctx: CallerContext,
  input: z.output<typeof CreateUser>,
): Promise<AdministeredUser> {
  const { email, name, password, role, sendEmail, data } = input
  const { now } = ctx
  const usernameIsWrong = typeof data.username === 'string' ? usernameProblem(data.username) : undefined
  if (usernameIsWrong) refuse(usernameIsWrong)
  const problem = await newPasswordProblem(password, ctx.config, {
    email,
    name,
    username: data.username,
  })
  if (problem) refuse(problem)
  const passwordHash = await ctx.hasher.hash(password)
  try {
    return await transaction(ctx, async (tx) => {
      await lockAdministratorsAndCaller(tx, ctx)
      if (await findUserByReservedEmail(tx, email)) refuse('ADMIN_USER_ALREADY_EXISTS')
      const { emailVerified, image, username } = data
      const fields = { image: image ?? undefined, username: username ?? undefined }
      // The administrator, and not the owner, entered the email address: a link sent to it asks for confirmation first
      // (SEC-110).
      const source = emailVerified ? {} : { emailSource: 'change' as const }
      const created = newUser({ email, name, now, language: ctx.language.id, ...fields, ...source })
      const user = await insertUser(tx, { ...created, emailVerified })
      await storePassword(tx, { userId: user.id, passwordHash, now })
      const by = { method: 'administrator' as const }
      await record(tx, ctx, { type: 'user.signed_up', actorId: ctx.user.id, subjectId: user.id, data: by })
      if (sendEmail && emailVerified) {
        const values = { actor: ctx.user.name }
        const mailContext = { now, link: `${ctx.config.appOrigin}/sign-in?${new URLSearchParams({ email })}`, values }
        await ctx.outbox.enqueue(tx, composeMail('accountCreated', user, mailContext), now)
      }
      if (role === 'admin') {
        const grant = { by: 'administrator' as const, actorId: ctx.user.id, isNew: true }
        await grantAdministrator(tx, ctx, FullUser.parse(user), grant)
      }
      return toAdministeredUser({ ...user, role }, now)
    })
  } catch (error) {
    const taken = violatedUnique(error)
    if (taken === undefined) throw error
    refuse(taken.includes('username') ? 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER' : 'ADMIN_USER_ALREADY_EXISTS')
  }
}
