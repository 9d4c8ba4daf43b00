import { FullUser } from '../../shared/account.ts'
import { JoinByInvitation } from '../../shared/invitation.ts'
import { Member } from '../../shared/organization.ts'
import { z } from 'zod'
import { resetPassword } from '../account/credentials.ts'
import { newPasswordProblem } from '../account/password.ts'
import { newUser, updateUser } from '../account/users.ts'
import { violatedUnique } from '../foundation/db.ts'
import { refuse } from '../foundation/refusal.ts'
import { narrow, open } from '../procedure.ts'
import { openSession } from '../session/opening.ts'
import { revokeSessions } from '../session/sessions.ts'
import { acceptInvitation } from './acceptance.ts'
import { findInvitation, isOpen, isSecretOf } from './invitations.ts'

/**
 * A newcomer signs up and joins in one step: the secret of the mailed link proves the address (R22), so that no second mail
 * is needed. Where somebody claimed the address before without proving it, that account becomes the owner's: a new name and
 * password, and nothing of what was left behind (SEC-13). Where it is proven, its owner signs in instead.
 */
export const join = open
  .meta({ limit: narrow, isEntrance: true })
  .use(({ ctx, next }) => (ctx.config.hasEmailPassword ? next() : refuse('EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED')))
  .input(JoinByInvitation)
  .output(z.object({ member: Member, organizationSlug: z.string() }))
  .mutation(async ({ ctx, input: { invitationId, secret, name, password } }) => {
    const { now, config, db } = ctx
    const invitation = await findInvitation(db, invitationId)
    if (!invitation || !isOpen(invitation, now) || !isSecretOf(invitation, secret)) refuse('INVITATION_NOT_FOUND')
    const { email, organizationId, organization } = invitation
    const problem = await newPasswordProblem(password, config.passwordLength, { email, name })
    if (problem) refuse(problem)
    const passwordHash = await ctx.hasher.hash(password)
    const { user, member } = await db
      .$transaction(async (tx) => {
        const claimed = await tx.user.findUnique({ where: { email } })
        if (claimed?.emailVerified) refuse('USER_ALREADY_EXISTS')
        const { id } = claimed
          ? await updateUser(tx, claimed.id, { name, now })
          : await tx.user.create({ data: newUser({ email, name, now, language: ctx.language.id }) })
        await resetPassword(tx, { userId: id, passwordHash, now })
        await revokeSessions(tx, id)
        const { member } = await acceptInvitation(tx, ctx, invitation, { id, name, email, secret })
        return { user: await tx.user.findUniqueOrThrow({ where: { id } }), member }
      })
      .catch((error: unknown) => {
        if (violatedUnique(error)?.includes('email')) refuse('USER_ALREADY_EXISTS')
        throw error
      })
    await openSession(ctx, FullUser.parse(user), { passwordHash, activeOrganizationId: organizationId })
    return { member, organizationSlug: organization.slug }
  })
