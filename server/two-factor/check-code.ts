import type { z } from 'zod'
import type { TwoFactor, User } from '../../prisma/client/client.ts'
import type { VerifyBackupCode } from '../../shared/two-factor.ts'
import { record } from '../event/record.ts'
import { findAuthenticatorApp, consumeTimeStep } from '../factor/authenticator-apps.ts'
import type { PendingStep } from '../factor/pending-steps.ts'
import { countRecoveryCodes, consumeRecoveryCode } from '../factor/recovery-codes.ts'
import { decryptTotp, timeStepOf } from '../factor/totp.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import { knownDevice } from '../session/known-devices.ts'
import { checkEmailCode } from '../sign-in/email-codes.ts'
import { mayEmailStepCode } from './send-step-code.ts'

/** How long a new authenticator app waits for its first code, in seconds. */
const pendingSeconds = 3600

type Kind = 'totp' | 'recovery_code' | 'email_code'

export type Input = z.output<typeof VerifyBackupCode> & { kind: Kind }

/** The result of one code. `enrolled`: it was the first code of a new authenticator app. */
type Outcome = 'right' | 'enrolled' | 'wrong' | 'used' | 'expired' | 'ended' | 'none'

/** Checks a code of a user whose row is locked, and uses it up: a time step and a recovery code are accepted once. */
export async function checkCode(
  tx: Tx,
  ctx: Context,
  user: User,
  { kind, code, mayEnroll }: Input & { mayEnroll: boolean },
): Promise<Outcome> {
  const found = await findAuthenticatorApp(tx, user.id)
  if (!found || kind === 'email_code') return 'none'
  if (kind === 'recovery_code') return user.twoFactorEnabled ? spendRecoveryCode(tx, ctx, user, code) : 'none'
  const isPending = found.updatedAt.getTime() + pendingSeconds * 1000 > ctx.now.getTime()
  const enrolling = mayEnroll && isPending ? stepOfSecret(ctx, found, 'pendingSecret', code) : undefined
  if (enrolling !== undefined) {
    await consumeTimeStep(tx, user.id, enrolling)
    return 'enrolled'
  }
  const step = stepOfSecret(ctx, found, 'secret', code)
  if (step === undefined) return 'wrong'
  if (step <= found.lastTimeStep) return 'used'
  await consumeTimeStep(tx, user.id, step)
  return 'right'
}

/** Checks a code that was emailed for this step, where that is allowed. */
export async function checkEmailedCode(
  tx: Tx,
  ctx: Context,
  { row, step, code }: { row: User; step: PendingStep; code: string },
): Promise<Outcome> {
  if (!mayEmailStepCode(ctx, step, row)) return 'none'
  const deps = { keys: ctx.keys.links, cookies: ctx.cookies, now: ctx.now }
  const { outcome } = await checkEmailCode(tx, deps, {
    use: 'second-step',
    email: row.email,
    code: code.trim(),
    device: knownDevice(ctx.cookies, row),
  })
  return outcome === 'exhausted' ? 'expired' : outcome
}

function stepOfSecret(ctx: Context, found: TwoFactor, field: 'secret' | 'pendingSecret', code: string) {
  const sealed = found[field]
  const secret = sealed === null ? undefined : decryptTotp(ctx.keys.storage, sealed, found.userId)
  return secret === undefined ? undefined : timeStepOf(secret, code, ctx.now)
}

async function spendRecoveryCode(tx: Tx, ctx: Context, user: User, code: string): Promise<Outcome> {
  const { id: userId } = user
  if (!(await consumeRecoveryCode(tx, { userId, keys: ctx.keys.storage }, code))) return 'wrong'
  const left = await countRecoveryCodes(tx, userId)
  await record(tx, ctx, { type: 'user.recovery_code_used', actorId: userId, data: { left } })
  const mailContext = { ...ctx, values: { left: String(left) } }
  await ctx.outbox.enqueue(tx, composeMail('recoveryCodeUsed', user, mailContext), ctx.now)
  return 'right'
}

const notOffered = {
  totp: 'TOTP_NOT_ENABLED',
  recovery_code: 'BACKUP_CODES_NOT_ENABLED',
  email_code: 'OTP_NOT_CONFIGURED',
} as const

export function refuseCode(outcome: Exclude<Outcome, 'right'>, kind: Kind): never {
  if (outcome === 'none') refuse(notOffered[kind])
  if (outcome === 'expired') refuse('OTP_HAS_EXPIRED')
  refuse(kind === 'recovery_code' ? 'INVALID_BACKUP_CODE' : 'INVALID_TOTP_CODE')
}
