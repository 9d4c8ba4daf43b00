import { record } from '../event/record.ts'
import { sessionHasSecondFactor } from '../factor/assurance.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import type { CallerContext } from '../request/context.ts'
import { setSessionCookies } from '../session/session-cookies.ts'
import { findSessionFactor, renewSessionToken, setSessionFactor } from '../session/sessions.ts'

type SecondFactor = 'totp' | 'recovery_code' | 'passkey'

/**
 * Records in the caller's session that a second factor was used. A session without one so far gets a new token, which
 * is returned for `setConfirmedCookies`: a copy of the former cookie becomes useless (OWASP ASVS 7.2.4).
 */
export async function confirmSession(
  tx: Tx,
  ctx: CallerContext,
  secondFactor: SecondFactor,
): Promise<string | undefined> {
  const { id } = ctx.session
  const row = await findSessionFactor(tx, id)
  if (!row) refuse('UNAUTHORIZED')
  if (sessionHasSecondFactor(row)) return undefined
  await setSessionFactor(tx, id, secondFactor)
  const data = { sessionId: id, secondFactor }
  await record(tx, ctx, { type: 'user.second_factor_confirmed', actorId: ctx.user.id, data })
  return renewSessionToken(tx, id, ctx.now)
}

/** Gives the browser the new token of a confirmed session, once it has been stored. */
export function setConfirmedCookies(ctx: CallerContext, sessionToken: string): void {
  const { user, session, remembered } = ctx
  setSessionCookies(ctx, { sessionToken, current: { user, session }, remembered })
}
