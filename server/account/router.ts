import { z } from 'zod'
import {
  ChangeEmail,
  ChangePassword,
  ClaimAccount,
  Deleted,
  DeleteUser,
  DeletionPreview,
  ForgetPassword,
  LinkedAccount,
  normalizeUsername,
  PasswordChanged,
  ReadVerification,
  ResetPassword,
  SendVerificationEmail,
  SignedUp,
  SignUpEmail,
  Status,
  UnlinkAccount,
  UnverifiedAccount,
  UpdateUser,
} from '../../shared/account.ts'
import { EventPage, ListEvents } from '../../shared/event.ts'
import { listEvents } from '../event/events.ts'
import { refuse } from '../foundation/refusal.ts'
import { fresh, open, router, signedIn, strictLimit, strictLimitForMail } from '../procedure.ts'
import { listAccounts } from './accounts.ts'
import { changeEmail } from './change-email.ts'
import { changeOwnPassword } from './change-password.ts'
import { claimAccount, confirmVerification, readVerification, rejectVerification } from './claim-account.ts'
import { deleteOwnAccount } from './delete-account.ts'
import { previewDeletion } from './deletion.ts'
import { requestPasswordReset, resetPasswordByToken } from './reset-password.ts'
import { sendVerification } from './send-verification.ts'
import { signUp } from './sign-up.ts'
import { socialProcedures } from './social-procedures.ts'
import { unlinkOwnAccount } from './unlink-account.ts'
import { updateOwnUser } from './update-user.ts'

export const accountRouter = router({
  /**
   * Creates an account. Where the address has to be verified first, an address that exists is answered like a new one and its
   * owner gets a mail instead; where sign-up signs in at once, it says that the user exists.
   */
  signUpEmail: open
    .meta({ rest: 'POST /sign-up/email', limit: strictLimit, startsSession: true })
    .use(({ ctx, next }) =>
      ctx.config.hasEmailPassword ? next() : refuse('EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED'),
    )
    .input(SignUpEmail)
    .output(SignedUp)
    .mutation(({ ctx, input }) => signUp(ctx, input)),

  /** Sends the verification link again. The answer is the same for every address (SEC-20). */
  sendVerificationEmail: open
    .meta({ rest: 'POST /send-verification-email', limit: strictLimitForMail })
    .use(({ ctx, next }) => (ctx.config.sendsVerificationEmail ? next() : refuse('VERIFICATION_EMAIL_ISNT_ENABLED')))
    .input(SendVerificationEmail)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await sendVerification(ctx, input)
      return { status: true }
    }),

  /** What a verification link is about, for the page that asks before anything is verified. */
  readVerification: open
    .meta({ rest: 'POST /verify-email/read', limit: { max: 30, seconds: 60 } })
    .input(ReadVerification)
    .output(UnverifiedAccount)
    .mutation(({ ctx, input }) => readVerification(ctx, input)),

  /** The owner of the mailbox takes the address, chooses name and password, and is signed in. */
  claim: open
    .meta({ rest: 'POST /verify-email/claim', limit: strictLimit, startsSession: true })
    .use(({ ctx, next }) =>
      ctx.config.hasEmailPassword ? next() : refuse('EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED'),
    )
    .input(ClaimAccount)
    .output(SignedUp)
    .mutation(({ ctx, input }) => claimAccount(ctx, input)),

  /** The signed-in user confirms the new address of the own account. */
  confirmVerification: signedIn
    .meta({ rest: 'POST /verify-email/confirm' })
    .input(ReadVerification)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await confirmVerification(ctx, input)
      return { status: true }
    }),

  /** The owner of the mailbox did not sign up: the unverified account is deleted, or a change of address taken back. */
  rejectVerification: open
    .meta({ rest: 'POST /verify-email/reject', limit: strictLimit })
    .input(ReadVerification)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await rejectVerification(ctx, input)
      return { status: true }
    }),

  update: signedIn
    .meta({ rest: 'POST /update-user' })
    .input(UpdateUser)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await updateOwnUser(ctx, input)
      return { status: true }
    }),

  /** Is a username still to be had? For the form of somebody who is signed in; the change itself decides. */
  isUsernameFree: signedIn
    .input(z.object({ username: z.string().max(64) }))
    .output(z.boolean())
    .query(async ({ ctx, input }) => {
      const where = { username: normalizeUsername(input.username) }
      const owner = await ctx.db.user.findUnique({ where, select: { id: true } })
      return !owner || owner.id === ctx.user.id
    }),

  /** Mails a link to a new password. The answer is the same for every address. */
  forgetPassword: open
    .meta({ rest: 'POST /forget-password', limit: strictLimitForMail })
    .use(({ ctx, next }) => (ctx.config.mayResetPassword ? next() : refuse('RESET_PASSWORD_ISNT_ENABLED')))
    .input(ForgetPassword)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await requestPasswordReset(ctx, input)
      return { status: true }
    }),

  /** A new password by the mailed token: it verifies the address, ends every session and voids every other token. */
  resetPassword: open
    .meta({ rest: 'POST /reset-password', queryFields: ['token'] })
    .input(ResetPassword)
    .output(Status)
    .mutation(async ({ ctx, input: { newPassword, token } }) => {
      await resetPasswordByToken(ctx, { newPassword, token: token || refuse('RESET_INVALID_TOKEN') })
      return { status: true }
    }),

  changePassword: signedIn
    .meta({ rest: 'POST /change-password', limit: strictLimit })
    .input(ChangePassword)
    .output(PasswordChanged)
    .mutation(({ ctx, input }) => changeOwnPassword(ctx, input)),

  changeEmail: signedIn
    .meta({ rest: 'POST /change-email', limit: strictLimit })
    .input(ChangeEmail)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await changeEmail(ctx, input)
      return { status: true }
    }),

  /** What deleting the own account would delete, and what is in the way. */
  previewDeletion: signedIn
    .meta({ rest: 'GET /delete-user/preview' })
    .output(DeletionPreview)
    .query(({ ctx }) => previewDeletion(ctx.db, ctx.user)),

  /** Deletes the account: at once with the password or a mailed token, else by a mail that a fresh session may ask for. */
  delete: signedIn
    .meta({ rest: 'POST /delete-user', limit: strictLimit })
    .use(({ ctx, next }) => (ctx.config.mayDeleteUser ? next() : refuse('NOT_FOUND')))
    .input(DeleteUser)
    .output(Deleted)
    .mutation(({ ctx, input }) => deleteOwnAccount(ctx, input)),

  listAccounts: signedIn
    .meta({ rest: 'GET /list-accounts' })
    .output(z.array(LinkedAccount))
    .query(({ ctx }) => listAccounts(ctx.db, ctx.user.id)),

  unlink: fresh
    .meta({ rest: 'POST /unlink-account' })
    .input(UnlinkAccount)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await unlinkOwnAccount(ctx, input)
      return { status: true }
    }),

  /** What happened in the own account, newest first. */
  activity: signedIn
    .meta({ rest: 'GET /list-activity' })
    .input(ListEvents)
    .output(EventPage)
    .query(({ ctx, input }) => listEvents(ctx.db, { subjectId: ctx.user.id }, input)),

  ...socialProcedures,
})
