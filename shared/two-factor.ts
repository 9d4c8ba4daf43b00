import { z } from 'zod'
import { ShortUser } from './account.ts'
import { Timestamp } from './schema.ts'

// Bodies and responses of the twoFactor plugin of better-auth 1.2.7.

/** Response of a sign-in that needs a second step: the browser has a cookie for it. */
export const TwoFactorRedirect = z.object({ twoFactorRedirect: z.literal(true) })

/** The password. Users without one need a fresh session instead. */
const Confirmed = z.object({ password: z.string().max(4096).optional() })

export const EnableTwoFactor = Confirmed.extend({ issuer: z.string().trim().min(1).max(64).optional() })
/**
 * The URI for an authenticator app (otpauth://), and recovery codes that replace it, each usable once. Both are shown
 * once.
 */
export const TwoFactorSecret = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) })

export const DisableTwoFactor = Confirmed
export const GetTotpUri = Confirmed
export const TotpUri = z.object({ totpURI: z.string() })
export const GenerateBackupCodes = Confirmed
export const BackupCodes = z.object({ status: z.literal(true), backupCodes: z.array(z.string()) })

export const VerifyCode = z.object({
  code: z.string().max(64),
  /** Skips the second factor in this browser for 30 days. */
  trustDevice: z.boolean().optional(),
  /** Confirms the session, even if a sign-in is waiting for its second step in the same browser. */
  inSession: z.boolean().optional(),
})
export const VerifyBackupCode = VerifyCode.extend({
  /** As in the plugin: only uses up the code. The response then has no token. */
  disableSession: z.boolean().optional(),
})
/** The client of better-auth sends an arbitrary object. */
export const SendStepCode = z.object({ trustDevice: z.boolean().optional() })
export const CodeVerified = z.object({ token: z.string().nullable(), user: ShortUser })

/** The second factors of the signed-in user. */
export const TwoFactorStatus = z.object({
  isEnabled: z.boolean(),
  confirmedAt: Timestamp.nullable(),
  /** When an administrator's removal takes effect. Null if none is pending. */
  removalAt: Timestamp.nullable(),
  /** Number of remaining recovery codes. */
  recoveryCodes: z.int(),
  hasPassword: z.boolean(),
  /** Whether this session began with a second factor, or was confirmed with one. */
  isConfirmed: z.boolean(),
  /** Whether the user is an administrator who needs a second factor for the administration. */
  isRequired: z.boolean(),
})

/** The methods for the pending second step in this browser. Null if there is none, or it has ended. */
export const PendingStep = z.object({
  email: z.string(),
  expiresAt: Timestamp,
  attemptsLeft: z.int(),
  hasPasskeys: z.boolean(),
  /** Whether a code can be emailed instead. */
  mayMail: z.boolean(),
})
