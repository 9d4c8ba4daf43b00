import { z } from 'zod'
import { Status, providerIds } from '../../shared/account.ts'
import {
  PublicOptions,
  Reauthenticate,
  ReauthenticateSocial,
  Reauthenticated,
  SentToProvider,
  SignInEmail,
  SignInUsername,
  SignedIn,
  SignedInByUsername,
} from '../../shared/session.ts'
import { TwoFactorRedirect } from '../../shared/two-factor.ts'
import { refuse } from '../foundation/refusal.ts'
import { protectedProcedure, publicProcedure } from '../procedure/guards.ts'
import { strictLimit, strictLimitForMail } from '../procedure/rate-limit.ts'
import { reauthenticate, sendCode } from './reauthenticate.ts'
import { signInSocial } from './sign-in-social.ts'
import { signInWithPassword } from './sign-in-with-password.ts'
import { signInWithUsername } from './sign-in-with-username.ts'
import { sendToProvider } from './start-at-provider.ts'

/** Session router procedures that start a session. */
export const signInProcedures = {
  /** Returns the enabled features of this installation, for the UI. */
  options: publicProcedure.output(PublicOptions).query(({ ctx: { config, outbox } }) => ({
    emailPassword: config.hasEmailPassword,
    passwordLength: config.passwordLength,
    hasPayments: config.payments !== undefined || config.webhookKeys.length > 0,
    hasCheckout: config.payments !== undefined,
    providers: providerIds.filter((id) => config.providers[id] !== undefined),
    trustedOrigins: [...config.trustedOrigins],
    hasMailbox: !outbox.delivers && config.hasDevelopmentPages,
  })),

  signInEmail: publicProcedure
    .meta({ rest: 'POST /sign-in/email', limit: strictLimit, startsSession: true })
    .use(({ ctx, next }) => (ctx.config.hasEmailPassword ? next() : refuse('EMAIL_AND_PASSWORD_IS_NOT_ENABLED')))
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
    .meta({ rest: 'POST /sign-in/username', limit: strictLimit, startsSession: true })
    .use(({ ctx, next }) => (ctx.config.hasEmailPassword ? next() : refuse('EMAIL_AND_PASSWORD_IS_NOT_ENABLED')))
    .input(SignInUsername)
    .output(z.union([SignedInByUsername, TwoFactorRedirect]))
    .mutation(({ ctx, input }) => signInWithUsername(ctx, input)),

  signInSocial,

  /** Emails a code with which a user without a password can re-authenticate, where a fresh session is required. */
  sendReauthenticationCode: protectedProcedure
    .meta({ rest: 'POST /reauthenticate/send-code', limit: strictLimitForMail })
    .output(Status)
    .mutation(async ({ ctx }) => {
      await sendCode(ctx)
      return { status: true }
    }),

  /** Replaces the session with a fresh one, using the password or the emailed code. */
  reauthenticate: protectedProcedure
    .meta({ rest: 'POST /reauthenticate', limit: strictLimit })
    .input(Reauthenticate)
    .output(Reauthenticated)
    .mutation(({ ctx, input }) => reauthenticate(ctx, input)),

  /** Starts re-authentication at a provider that is linked to the signed-in user. */
  reauthenticateSocial: protectedProcedure
    .meta({ rest: 'POST /reauthenticate/social', limit: strictLimit })
    .input(ReauthenticateSocial)
    .output(SentToProvider)
    .mutation(({ ctx, input }) => sendToProvider(ctx, input, { reauthenticate: ctx.user.id })),
}
