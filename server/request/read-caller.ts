import type { CurrentSession } from '../../shared/session.ts'
import type { App } from '../dependencies.ts'
import type { Cookies } from '../foundation/cookies.ts'
import { isUnavailable } from '../foundation/database-errors.ts'
import { transaction } from '../foundation/transactions.ts'
import { findImpersonator } from '../session/impersonations.ts'
import { clearCacheCookie, clearSessionCookies, setSessionCookies } from '../session/session-cookies.ts'
import { extendIfDue } from '../session/session-lifetime.ts'
import { findSession, isBanned } from '../session/session-rows.ts'
import { removeExpired, revokeSessions } from '../session/sessions.ts'
import type { VerifiedCredential } from './bearer.ts'

/** The signed-in user, the session, and how they were authenticated. */
export type Caller = CurrentSession & {
  /** Empty if the caller was authenticated by a token or key. */
  sessionToken: string
  remembered: boolean
  /** How the user signed in. Undefined for API keys and for cached sessions. */
  method?: string | undefined
  /** How the second step of the sign-in was done, if there was one. */
  secondFactor?: string | null | undefined
  /** The token or key that authenticated the caller. Undefined for a browser with its cookie. */
  verifiedCredential?: VerifiedCredential | undefined
}

type Deps = App & { now: Date; cookies: Cookies }

/**
 * Reads the session from the database, extends it when due, and updates the cookies. Those of a token that belongs to
 * no session are left: another response may have replaced them since this request was sent.
 */
export async function readCaller(
  deps: Deps,
  { sessionToken, mayExtend }: { sessionToken: string; mayExtend: boolean },
): Promise<Caller | 'unknown' | undefined> {
  const { pool, db, now } = deps
  const found = await findSession(pool, sessionToken)
  // With a read-only database, reads still work. Pending writes are made by a later call (REL-09).
  const later = (error: unknown) => {
    if (!isUnavailable(error)) throw error
  }
  if (found && found.session.expiresAt <= now) await removeExpired(db, found.session.id, now).catch(later)
  // A ban revokes existing sessions, so that none becomes valid again when the ban ends (SEC-117).
  const isBannedNow = found !== undefined && isBanned(found.ban, now)
  if (isBannedNow) await transaction(deps, (tx) => revokeSessions(tx, found.user.id)).catch(later)
  const hasLostImpersonator =
    found?.session.impersonatedBy !== undefined && !(await findImpersonator(db, found.session.id, now))
  if (!found) {
    clearCacheCookie(deps)
    return 'unknown'
  }
  if (isBannedNow || hasLostImpersonator || found.session.expiresAt <= now) {
    clearSessionCookies(deps)
    return undefined
  }
  const expiresAt = mayExtend ? await extendIfDue(deps, found, sessionToken) : 'unchanged'
  // Not copied, which would take 6 µs of every call.
  if (expiresAt === 'unchanged') return Object.assign(found, { sessionToken })
  // The session was ended or given a new token in the meantime, by a call that sets the browser's cookies: they may be
  // newer than this request.
  if (expiresAt === 'gone') return undefined
  const current = { session: { ...found.session, expiresAt, updatedAt: now }, user: found.user }
  setSessionCookies(deps, { sessionToken, current, remembered: found.remembered })
  return { ...found, ...current, sessionToken }
}
