import {
  ChangePassword,
  ClaimAccount,
  LinkSocial,
  PasswordChanged,
  ReadVerification,
  SignUpEmail,
  SignedUp,
  Status,
  UnverifiedAccount,
} from '../../shared/account.ts'
import { SentToProvider } from '../../shared/session.ts'
import { refuse } from '../foundation/refusal.ts'
import { freshProcedure, protectedProcedure, publicProcedure } from '../procedure/guards.ts'
import { strictLimit } from '../procedure/rate-limit.ts'
import { changeOwnPassword } from './change-password.ts'
import { claimAccount, confirmVerification, readVerification, rejectVerification } from './claim-account.ts'
import { signUp } from './sign-up.ts'
import { startAtProvider } from './start-at-provider.ts'

/** The calls of the account router that start a session or lead to one. */
export const signUpProcedures = {
  /**
   * Creates an account. Where the address has to be verified first, an address that exists is answered like a new one and its
   * owner gets a mail instead; where sign-up signs in at once, it says that the user exists.
   */
  signUpEmail: publicProcedure
    .meta({ rest: 'POST /sign-up/email', limit: strictLimit, startsSession: true })
    .use(({ ctx, next }) =>
      ctx.config.hasEmailPassword ? next() : refuse('EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED'),
    )
    .input(SignUpEmail)
    .output(SignedUp)
    .mutation(({ ctx, input }) => signUp(ctx, input)),

  /** What a verification link is about, for the page that asks before anything is verified. */
  readVerification: publicProcedure
    .meta({ rest: 'POST /verify-email/read', limit: { max: 30, seconds: 60 } })
    .input(ReadVerification)
    .output(UnverifiedAccount)
    .mutation(({ ctx, input }) => readVerification(ctx, input)),

  /** The owner of the mailbox takes the address, chooses name and password, and is signed in. */
  claim: publicProcedure
    .meta({ rest: 'POST /verify-email/claim', limit: strictLimit, startsSession: true })
    .use(({ ctx, next }) =>
      ctx.config.hasEmailPassword ? next() : refuse('EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED'),
    )
    .input(ClaimAccount)
    .output(SignedUp)
    .mutation(({ ctx, input }) => claimAccount(ctx, input)),

  /** The signed-in user confirms the new address of the own account. */
  confirmVerification: protectedProcedure
    .meta({ rest: 'POST /verify-email/confirm' })
    .input(ReadVerification)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await confirmVerification(ctx, input)
      return { status: true }
    }),

  /** The owner of the mailbox did not sign up: the unverified account is deleted, or a change of address taken back. */
  rejectVerification: publicProcedure
    .meta({ rest: 'POST /verify-email/reject', limit: strictLimit })
    .input(ReadVerification)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await rejectVerification(ctx, input)
      return { status: true }
    }),

  changePassword: protectedProcedure
    .meta({ rest: 'POST /change-password', limit: strictLimit })
    .input(ChangePassword)
    .output(PasswordChanged)
    .mutation(({ ctx, input }) => changeOwnPassword(ctx, input)),

  /** Begins to link a provider to the signed-in user; the state names the user, and the callback asks for the same one. */
  linkSocial: freshProcedure
    .meta({ rest: 'POST /link-social' })
    .input(LinkSocial)
    .output(SentToProvider)
    .mutation(async ({ ctx, input }) => {
      const url = await startAtProvider(ctx, {
        provider: input.provider,
        callbackURL: input.callbackURL || '/',
        errorURL: input.errorCallbackURL || undefined,
        scopes: input.scopes ?? [],
        requestSignUp: false,
        linkTo: ctx.user.id,
      })
      return { url, redirect: true }
    }),
}
