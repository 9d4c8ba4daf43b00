import {
  ChangePassword,
  ClaimAccount,
  ConfirmVerification,
  LinkSocial,
  PasswordChanged,
  ReadVerification,
  SignUpEmail,
  SignedUp,
  UnverifiedAccount,
} from '../../shared/account.ts'
import { Status } from '../../shared/schema.ts'
import { SentToProvider } from '../../shared/session.ts'
import { enabledBy } from '../procedure/features.ts'
import { freshProcedure, protectedProcedure, publicProcedure } from '../procedure/guards.ts'
import { strictLimit } from '../procedure/rate-limit.ts'
import { changeOwnPassword } from './change-password.ts'
import { claimAccount, confirmVerification, readVerification, rejectVerification } from './claim-account.ts'
import { signUp } from './sign-up.ts'
import { sendToProvider } from './start-at-provider.ts'

/** Account router procedures that start a session or lead to one. */
export const signUpProcedures = {
  /**
   * Creates an account. If the email address must be verified first, the response for an existing address is the same
   * as for a new one, and its owner gets an email; if sign-up signs in immediately, it returns an error that the user
   * exists.
   */
  signUpEmail: publicProcedure
    .meta({
      rest: 'POST /sign-up/email',
      summary: 'Sign up with an email address and a password',
      limit: strictLimit,
      startsSession: true,
    })
    .concat(enabledBy('hasEmailPassword', 'EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED'))
    .input(SignUpEmail)
    .output(SignedUp)
    .mutation(({ ctx, input }) => signUp(ctx, input)),

  readVerification: publicProcedure
    .meta({
      rest: 'POST /verify-email/read',
      summary: 'Read a verification link without using it',
      limit: { max: 30, seconds: 60 },
    })
    .input(ReadVerification)
    .output(UnverifiedAccount)
    .mutation(({ ctx, input }) => readVerification(ctx, input)),

  claim: publicProcedure
    .meta({
      rest: 'POST /verify-email/claim',
      summary: 'Claim an unverified account with the emailed link',
      limit: strictLimit,
      startsSession: true,
    })
    .concat(enabledBy('hasEmailPassword', 'EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED'))
    .input(ClaimAccount)
    .output(SignedUp)
    .mutation(({ ctx, input }) => claimAccount(ctx, input)),

  confirmVerification: protectedProcedure
    .meta({ rest: 'POST /verify-email/confirm', summary: 'Confirm a new email address with the emailed link' })
    .input(ConfirmVerification)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await confirmVerification(ctx, input)
      return { status: true }
    }),

  /** The mailbox owner did not sign up: deletes the unverified account, or reverts the change of email address. */
  rejectVerification: publicProcedure
    .meta({
      rest: 'POST /verify-email/reject',
      summary: 'Report a sign-up or email change that someone else made',
      limit: strictLimit,
    })
    .input(ReadVerification)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await rejectVerification(ctx, input)
      return { status: true }
    }),

  changePassword: protectedProcedure
    .meta({ rest: 'POST /change-password', summary: 'Change the caller’s password', limit: strictLimit })
    .input(ChangePassword)
    .output(PasswordChanged)
    .mutation(({ ctx, input }) => changeOwnPassword(ctx, input)),

  /** Starts linking a provider. The state names the signed-in user, and the callback requires the same user. */
  linkSocial: freshProcedure
    .meta({ rest: 'POST /link-social', summary: 'Start linking a social provider' })
    .input(LinkSocial)
    .output(SentToProvider)
    .mutation(({ ctx, input }) => sendToProvider(ctx, input, { linkTo: ctx.user.id })),
}
