import { z } from 'zod'
import { Email, ShortUser } from './account.ts'
import { Name, RedirectTarget } from './schema.ts'

// Bodies and responses of the emailOTP and magicLink plugins of better-auth 1.2.7.

/** The purposes of emailed codes. */
const codeUses = ['sign-in', 'email-verification', 'forget-password'] as const
export type CodeUse = (typeof codeUses)[number]

const Code = z.string().trim().max(64)

export const SendEmailCode = z.object({ email: Email, type: z.enum(codeUses) })
export const SignInEmailCode = z.object({ email: Email, otp: Code })
export const VerifyEmailCode = SignInEmailCode
export const ForgetPasswordCode = z.object({ email: Email })
export const ResetPasswordCode = z.object({ email: Email, otp: Code, password: z.string() })

export const SignInMagicLink = z.object({
  email: Email,
  /** Name of a new account. */
  name: Name.optional(),
  callbackURL: RedirectTarget.optional(),
})
export const ReadMagicLink = z.object({ token: z.string().max(64) })
/** Data shown by a link that was opened in another browser than the one that requested it. */
export const OpenedElsewhere = z.object({ email: z.string(), code: z.string() })

export const SignedInByEmail = z.object({ token: z.string(), user: ShortUser })
/** `token` is null if the email address was verified in a session. */
export const VerifiedByCode = z.object({ status: z.literal(true), token: z.string().nullable(), user: ShortUser })
