import type { z } from 'zod'
import type { PendingStep } from '../../shared/two-factor.ts'
import { listPasskeys } from '../factor/passkeys.ts'
import { attemptsLeft, findStep } from '../factor/pending-steps.ts'
import type { Context } from '../request/context.ts'
import { findUserById } from '../session/users.ts'
import { mayEmailStepCode } from './send-step-code.ts'

/** The pending second step in this browser, and how it can be completed. Null without one. */
export async function readPendingStep(ctx: Context): Promise<z.output<typeof PendingStep> | null> {
  const { db, cookies, now } = ctx
  const step = await findStep(db, cookies, now)
  const user = step && (await findUserById(db, step.userId))
  if (!step || !user) return null
  const hasPasskeys = (await listPasskeys(db, step.userId)).length > 0
  const mayMail = mayEmailStepCode(ctx, step, user)
  return { email: user.email, expiresAt: step.expiresAt, attemptsLeft: attemptsLeft(step), hasPasskeys, mayMail }
}
