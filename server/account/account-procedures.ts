import { z } from 'zod'
import {
  AccountInfo,
  AccountReference,
  ChangeEmail,
  Deleted,
  DeleteUser,
  DeletionPreview,
  ForgetPassword,
  PendingEmail,
  LinkedAccount,
  ProviderToken,
  RefreshedToken,
  RefreshToken,
  ResetPassword,
  SendVerificationEmail,
  UnlinkAccount,
  UpdateUser,
} from '../../shared/account.ts'
import { EventPage, ListEvents } from '../../shared/event.ts'
import { Status } from '../../shared/schema.ts'
import { listEvents } from '../event/events.ts'
import { refuse } from '../foundation/refusal.ts'
import { enabledBy } from '../procedure/features.ts'
import { freshProcedure, protectedProcedure, publicProcedure } from '../procedure/guards.ts'
import { strictLimit, strictLimitForMail } from '../procedure/rate-limit.ts'
import { allowReplica } from '../procedure/replica.ts'
import { anyCaller } from '../procedure/trpc.ts'
import { listAccounts } from './accounts.ts'
import { changeEmail } from './change-email.ts'
import { deleteAccount } from './delete-account.ts'
import { previewDeletion } from './delete-user.ts'
import { readProviderAccessToken } from './read-access-token.ts'
import { readAccountInfo } from './read-account-info.ts'
import { readPendingEmail } from './read-pending-email.ts'
import { refreshToken } from './refresh-token.ts'
import { requestPasswordReset, resetPasswordByToken } from './reset-password.ts'
import { sendVerification } from './send-verification.ts'
import { unlinkOwnAccount } from './unlink-account.ts'
import { updateOwnUser } from './update-user.ts'
import { findUserIdByUsername } from './users.ts'

export const accountProcedures = {
  /** Sends the verification link again. The response is the same for every email address (SEC-20). */
  sendVerificationEmail: publicProcedure
    .meta({
      rest: 'POST /send-verification-email',
      summary: 'Resend the verification email',
      limit: strictLimitForMail,
    })
    .concat(enabledBy('sendsVerificationEmail', 'VERIFICATION_EMAIL_ISNT_ENABLED'))
    .input(SendVerificationEmail)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await sendVerification(ctx, input)
      return { status: true }
    }),

  update: protectedProcedure
    .meta({
      openTo: ['access_token'],
      rest: 'POST /update-user',
      summary: 'Change the caller’s name, picture, username or language',
    })
    .input(UpdateUser)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await updateOwnUser(ctx, input)
      return { status: true }
    }),

  /** Checks whether a username is available, for the profile form. The update itself makes the final decision. */
  isUsernameFree: protectedProcedure
    .meta({ openTo: anyCaller })
    .input(z.object({ username: z.string().max(64) }))
    .output(z.boolean())
    .query(async ({ ctx, input }) => {
      const owner = await findUserIdByUsername(ctx.db, input.username)
      return owner === undefined || owner === ctx.user.id
    }),

  /** Emails a password reset link. The response is the same for every email address. */
  forgetPassword: publicProcedure
    .meta({
      rest: 'POST /forget-password',
      summary: 'Email a link to set a new password',
      alias: 'POST /request-password-reset',
      limit: strictLimitForMail,
    })
    .concat(enabledBy('mayResetPassword', 'RESET_PASSWORD_ISNT_ENABLED'))
    .input(ForgetPassword)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await requestPasswordReset(ctx, input)
      return { status: true }
    }),

  /**
   * Sets a new password by the emailed token: verifies the email address, ends all sessions, invalidates all other
   * tokens.
   */
  resetPassword: publicProcedure
    .meta({
      rest: 'POST /reset-password',
      summary: 'Set a new password with the token of an emailed link',
      queryFields: ['token'],
    })
    .input(ResetPassword)
    .output(Status)
    .mutation(async ({ ctx, input: { newPassword, token } }) => {
      await resetPasswordByToken(ctx, { newPassword, token: token || refuse('RESET_INVALID_TOKEN') })
      return { status: true }
    }),

  changeEmail: protectedProcedure
    .meta({ rest: 'POST /change-email', summary: 'Change the caller’s email address', limit: strictLimit })
    .input(ChangeEmail)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await changeEmail(ctx, input)
      return { status: true }
    }),

  /** The requested email address that is not confirmed yet, for the settings. */
  pendingEmail: protectedProcedure
    .meta({ openTo: ['impersonator'] })
    .output(PendingEmail.nullable())
    .query(({ ctx }) => readPendingEmail(ctx)),

  previewDeletion: protectedProcedure
    .meta({
      openTo: ['access_token', 'impersonator'],
      rest: 'GET /delete-user/preview',
      summary: 'What deleting the account would delete, and what prevents it',
    })
    .output(DeletionPreview)
    .query(({ ctx }) => previewDeletion(ctx.db, ctx.user)),

  /**
   * Deletes the account: immediately with password or emailed token; otherwise emails a link (needs a fresh session).
   */
  delete: protectedProcedure
    .meta({ rest: 'POST /delete-user', summary: 'Delete the caller’s account', limit: strictLimit })
    .concat(enabledBy('mayDeleteUser', 'NOT_FOUND'))
    .input(DeleteUser)
    .output(Deleted)
    .mutation(({ ctx, input }) => deleteAccount(ctx, input)),

  listAccounts: protectedProcedure
    .meta({
      openTo: ['access_token', 'impersonator'],
      rest: 'GET /list-accounts',
      summary: 'List the caller’s sign-in methods: password and linked providers',
    })
    .output(z.array(LinkedAccount))
    .query(({ ctx }) => listAccounts(ctx.db, ctx.user.id)),

  unlink: freshProcedure
    .meta({ rest: 'POST /unlink-account', summary: 'Unlink a provider' })
    .input(UnlinkAccount)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await unlinkOwnAccount(ctx, input)
      return { status: true }
    }),

  activity: protectedProcedure
    .meta({
      openTo: ['access_token', 'impersonator'],
      rest: 'GET /list-activity',
      summary: 'List the events of the caller’s account, newest first',
    })
    .input(ListEvents)
    .output(EventPage)
    .use(allowReplica)
    .query(({ ctx, input }) => listEvents(ctx.db, { subjectId: ctx.user.id }, input)),

  /**
   * Gets a new access token with the stored refresh token. Many providers invalidate a refresh token once it is used,
   * so only one request at a time calls the provider for an identity; concurrent requests reuse its result.
   */
  refreshToken: protectedProcedure
    .meta({
      rest: 'POST /refresh-token',
      summary: 'Renew the access token of a linked provider',
      limit: { max: 30, seconds: 60 },
      perUser: true,
    })
    .input(RefreshToken)
    .output(RefreshedToken)
    .mutation(({ ctx, input }) => refreshToken(ctx, input)),

  /** Returns a provider's access token, renewed if it has expired (a call of better-auth 1.7). */
  accessToken: protectedProcedure
    .meta({
      rest: 'POST /get-access-token',
      summary: 'The access token of a linked provider, renewed if it has expired',
      limit: { max: 30, seconds: 60 },
      perUser: true,
    })
    .input(RefreshToken)
    .output(ProviderToken)
    .mutation(({ ctx, input }) => readProviderAccessToken(ctx, input)),

  info: protectedProcedure
    .meta({
      rest: 'GET /account-info',
      summary: 'The profile of a linked account, as its provider describes it now',
      limit: { max: 30, seconds: 60 },
      perUser: true,
    })
    .input(AccountReference)
    .output(AccountInfo)
    .query(({ ctx, input }) => readAccountInfo(ctx, input)),
}
