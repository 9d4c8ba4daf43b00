import { z } from 'zod'
import {
  ForgetPasswordCode,
  OpenedElsewhere,
  ReadMagicLink,
  ResetPasswordCode,
  SendEmailCode,
  SignedInByEmail,
  SignInMagicLink,
  SignInEmailCode,
  VerifiedByCode,
  VerifyEmailCode,
} from '../../shared/email-code.ts'
import { Status, Success } from '../../shared/schema.ts'
import {
  PublicOptions,
  Reauthenticate,
  Reauthenticated,
  ReauthenticateSocial,
  SentToProvider,
  SignedIn,
  SignedInByUsername,
  SignedInSocial,
  SignInEmail,
  SignInSocial,
  SignInUsername,
} from '../../shared/session.ts'
import { TwoFactorRedirect } from '../../shared/two-factor.ts'
import { enabledBy } from '../procedure/features.ts'
import { protectedProcedure, publicProcedure } from '../procedure/guards.ts'
import { strictLimit, strictLimitForMail } from '../procedure/rate-limit.ts'
import { findLink } from './magic-links.ts'
import { publicOptions } from './public-options.ts'
import { reauthenticate, sendReauthenticationCode } from './reauthenticate.ts'
import { resetByCode } from './reset-by-code.ts'
import { sendMagicLink, sendEmailCode } from './send-email-code.ts'
import { signInByCode } from './sign-in-by-email.ts'
import { signInSocial } from './sign-in-social.ts'
import { signInWithPassword } from './sign-in-with-password.ts'
import { signInWithUsername } from './sign-in-with-username.ts'
import { sendToProvider } from './start-at-provider.ts'
import { verifyByCode } from './verify-by-code.ts'

/** Session router procedures that start a session. */
export const signInProcedures = {
  /** Returns the enabled features of this installation, for the UI. */
  options: publicProcedure.output(PublicOptions).query(({ ctx }) => publicOptions(ctx)),

  signInEmail: publicProcedure
    .meta({
      rest: 'POST /sign-in/email',
      summary: 'Sign in with an email address and a password',
      limit: strictLimit,
      startsSession: true,
    })
    .concat(enabledBy('hasEmailPassword', 'EMAIL_AND_PASSWORD_IS_NOT_ENABLED'))
    .input(SignInEmail)
    .output(z.union([SignedIn, TwoFactorRedirect]))
    .mutation(async ({ ctx, input: { email, callbackURL, ...input } }) => {
      const signedIn = await signInWithPassword(ctx, {
        ...input,
        callbackURL,
        by: { email },
        refusals: { wrong: 'INVALID_EMAIL_OR_PASSWORD', unverified: 'EMAIL_NOT_VERIFIED' },
      })
      if (!signedIn) return { twoFactorRedirect: true as const }
      const { session, user } = signedIn
      return { redirect: Boolean(callbackURL), url: callbackURL || null, token: session.token, user }
    }),

  signInUsername: publicProcedure
    .meta({
      rest: 'POST /sign-in/username',
      summary: 'Sign in with a username and a password',
      limit: strictLimit,
      startsSession: true,
    })
    .concat(enabledBy('hasEmailPassword', 'EMAIL_AND_PASSWORD_IS_NOT_ENABLED'))
    .input(SignInUsername)
    .output(z.union([SignedInByUsername, TwoFactorRedirect]))
    .mutation(({ ctx, input }) => signInWithUsername(ctx, input)),

  signInSocial: publicProcedure
    .meta({
      rest: 'POST /sign-in/social',
      summary: 'Sign in with a social provider',
      limit: strictLimit,
      startsSession: true,
    })
    .input(SignInSocial)
    .output(z.union([SignedInSocial, TwoFactorRedirect]))
    .mutation(({ ctx, input }) => signInSocial(ctx, input)),

  /**
   * Emails a code to sign in, to verify the email address, or to set a new password. The response is the same for every
   * address.
   */
  sendEmailCode: publicProcedure
    .meta({
      rest: 'POST /email-otp/send-verification-otp',
      summary: 'Email a code to sign in, to verify an address, or to set a password',
      limit: strictLimitForMail,
    })
    .input(SendEmailCode)
    .output(Success)
    .mutation(async ({ ctx, input: { email, type } }) => {
      await sendEmailCode(ctx, { email, use: type })
      return { success: true }
    }),

  signInEmailCode: publicProcedure
    .meta({
      rest: 'POST /sign-in/email-otp',
      summary: 'Sign in with an emailed code',
      limit: strictLimit,
      startsSession: true,
    })
    .input(SignInEmailCode)
    .output(z.union([SignedInByEmail, TwoFactorRedirect]))
    .mutation(({ ctx, input }) => signInByCode(ctx, input)),

  signInMagicLink: publicProcedure
    .meta({ rest: 'POST /sign-in/magic-link', summary: 'Email a link that signs in', limit: strictLimitForMail })
    .input(SignInMagicLink)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await sendMagicLink(ctx, input)
      return { status: true }
    }),

  /**
   * The code of a link that was opened in another browser, to be entered where it was requested. Null if the link has
   * ended.
   */
  readMagicLink: publicProcedure
    .meta({ limit: strictLimit })
    .input(ReadMagicLink)
    .output(OpenedElsewhere.nullable())
    .mutation(async ({ ctx: { db, keys, now }, input: { token } }) => {
      const found = await findLink(db, keys.storage, { token, now })
      return found === undefined || found === 'expired' ? null : found
    }),

  verifyEmailCode: publicProcedure
    .meta({
      rest: 'POST /email-otp/verify-email',
      summary: 'Verify an email address with an emailed code',
      limit: strictLimit,
      startsSession: true,
    })
    .input(VerifyEmailCode)
    .output(VerifiedByCode)
    .mutation(({ ctx, input }) => verifyByCode(ctx, input)),

  forgetPasswordCode: publicProcedure
    .meta({
      rest: 'POST /forget-password/email-otp',
      summary: 'Email a code to set a new password',
      alias: 'POST /email-otp/request-password-reset',
      limit: strictLimitForMail,
    })
    .concat(enabledBy('mayResetPassword', 'RESET_PASSWORD_ISNT_ENABLED'))
    .input(ForgetPasswordCode)
    .output(Success)
    .mutation(async ({ ctx, input: { email } }) => {
      await sendEmailCode(ctx, { email, use: 'forget-password' })
      return { success: true }
    }),

  resetPasswordCode: publicProcedure
    .meta({
      rest: 'POST /email-otp/reset-password',
      summary: 'Set a new password with an emailed code',
      limit: strictLimit,
    })
    .concat(enabledBy('mayResetPassword', 'RESET_PASSWORD_ISNT_ENABLED'))
    .input(ResetPasswordCode)
    .output(Success)
    .mutation(async ({ ctx, input }) => {
      await resetByCode(ctx, input)
      return { success: true }
    }),

  /** Emails a code with which the user can re-authenticate without a password, where a fresh session is required. */
  sendReauthenticationCode: protectedProcedure
    .meta({
      rest: 'POST /reauthenticate/send-code',
      summary: 'Email a code that confirms the caller’s identity instead of a password',
      limit: strictLimitForMail,
    })
    .output(Status)
    .mutation(async ({ ctx }) => {
      await sendReauthenticationCode(ctx)
      return { status: true }
    }),

  reauthenticate: protectedProcedure
    .meta({
      rest: 'POST /reauthenticate',
      summary: 'Confirm the caller’s identity with a password or an emailed code',
      limit: strictLimit,
    })
    .input(Reauthenticate)
    .output(Reauthenticated)
    .mutation(({ ctx, input }) => reauthenticate(ctx, input)),

  reauthenticateSocial: protectedProcedure
    .meta({
      rest: 'POST /reauthenticate/social',
      summary: 'Confirm the caller’s identity with a linked provider',
      limit: strictLimit,
    })
    .input(ReauthenticateSocial)
    .output(SentToProvider)
    .mutation(({ ctx, input }) => sendToProvider(ctx, input, { reauthenticate: ctx.user.id })),
}
