import { Status } from '../../shared/schema.ts'
import {
  BackupCodes,
  CodeVerified,
  DisableTwoFactor,
  EnableTwoFactor,
  GenerateBackupCodes,
  GetTotpUri,
  PendingStep,
  SendStepCode,
  TotpUri,
  TwoFactorSecret,
  TwoFactorStatus,
  VerifyBackupCode,
  VerifyCode,
} from '../../shared/two-factor.ts'
import { findPassword } from '../account/credentials.ts'
import { sessionHasSecondFactor } from '../factor/assurance.ts'
import { findAuthenticatorApp } from '../factor/authenticator-apps.ts'
import { findRemoval } from '../factor/factor-removals.ts'
import { countRecoveryCodes } from '../factor/recovery-codes.ts'
import { protectedProcedure, publicProcedure } from '../procedure/guards.ts'
import { strictLimit, strictLimitForMail } from '../procedure/rate-limit.ts'
import { router } from '../procedure/trpc.ts'
import { cancelOwnFactorRemoval } from './cancel-factor-removal.ts'
import { disableTwoFactor } from './disable-two-factor.ts'
import { readPendingStep } from './read-pending-step.ts'
import { readTotpUri } from './read-totp-uri.ts'
import { sendStepCode } from './send-step-code.ts'
import { startEnrollment } from './start-enrollment.ts'
import { updateRecoveryCodes } from './update-recovery-codes.ts'
import { verifyCode } from './verify-code.ts'

/**
 * Second factors: an authenticator app and recovery codes. Paths, bodies and responses of the twoFactor plugin of
 * better-auth 1.2.7.
 */
export const twoFactorRouter = router({
  status: protectedProcedure.output(TwoFactorStatus).query(async ({ ctx: { db, user, config, secondFactor } }) => ({
    isEnabled: user.twoFactorEnabled,
    confirmedAt: (await findAuthenticatorApp(db, user.id))?.confirmedAt ?? null,
    removalAt: (await findRemoval(db, user.id))?.removeAt ?? null,
    recoveryCodes: await countRecoveryCodes(db, user.id),
    hasPassword: (await findPassword(db, user.id)) !== undefined,
    isConfirmed: sessionHasSecondFactor({ secondFactor }),
    isRequired: user.role === 'admin' && config.requiresSecondFactorOfAdministrators,
  })),

  /** The pending second step in this browser, or null. */
  pending: publicProcedure.output(PendingStep.nullable()).query(({ ctx }) => readPendingStep(ctx)),

  enable: protectedProcedure
    .meta({ rest: 'POST /two-factor/enable', summary: 'Set up an authenticator app', limit: strictLimit })
    .input(EnableTwoFactor)
    .output(TwoFactorSecret)
    .mutation(({ ctx, input }) => startEnrollment(ctx, input)),

  disable: protectedProcedure
    .meta({ rest: 'POST /two-factor/disable', summary: 'Remove the authenticator app', limit: strictLimit })
    .input(DisableTwoFactor)
    .output(Status)
    .mutation(async ({ ctx, input: { password } }) => {
      await disableTwoFactor(ctx, password)
      return { status: true }
    }),

  getTotpUri: protectedProcedure
    .meta({
      rest: 'POST /two-factor/get-totp-uri',
      summary: 'The key of the authenticator app, as a URI',
      limit: strictLimit,
    })
    .input(GetTotpUri)
    .output(TotpUri)
    .mutation(async ({ ctx, input: { password } }) => ({ totpURI: await readTotpUri(ctx, password) })),

  generateBackupCodes: protectedProcedure
    .meta({ rest: 'POST /two-factor/generate-backup-codes', summary: 'Replace the recovery codes', limit: strictLimit })
    .input(GenerateBackupCodes)
    .output(BackupCodes)
    .mutation(async ({ ctx, input: { password } }) => ({
      status: true,
      backupCodes: await updateRecoveryCodes(ctx, password),
    })),

  verifyTotp: publicProcedure
    .meta({
      rest: 'POST /two-factor/verify-totp',
      summary: 'Complete a sign-in, or the set-up, with a code of the authenticator app',
      limit: strictLimit,
      startsSession: true,
    })
    .input(VerifyCode)
    .output(CodeVerified)
    .mutation(({ ctx, input }) => verifyCode(ctx, { ...input, kind: 'totp' })),

  verifyBackupCode: publicProcedure
    .meta({
      rest: 'POST /two-factor/verify-backup-code',
      summary: 'Complete a sign-in with a recovery code',
      limit: strictLimit,
      startsSession: true,
    })
    .input(VerifyBackupCode)
    .output(CodeVerified)
    .mutation(({ ctx, input }) => verifyCode(ctx, { ...input, kind: 'recovery_code' })),

  sendOtp: publicProcedure
    .meta({
      rest: 'POST /two-factor/send-otp',
      summary: 'Email a code for the second step of a sign-in',
      limit: strictLimitForMail,
    })
    .input(SendStepCode)
    .output(Status)
    .mutation(async ({ ctx }) => {
      await sendStepCode(ctx)
      return { status: true }
    }),

  verifyOtp: publicProcedure
    .meta({
      rest: 'POST /two-factor/verify-otp',
      summary: 'Complete a sign-in with an emailed code',
      limit: strictLimit,
      startsSession: true,
    })
    .input(VerifyCode)
    .output(CodeVerified)
    .mutation(({ ctx, input }) => verifyCode(ctx, { ...input, kind: 'email_code' })),

  /** Keeps an authenticator app that an administrator is about to remove. */
  cancelRemoval: protectedProcedure.output(Status).mutation(async ({ ctx }) => {
    await cancelOwnFactorRemoval(ctx)
    return { status: true }
  }),
})
