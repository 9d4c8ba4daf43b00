import { sha256 } from '../foundation/crypto.ts'
import { isUnavailable } from '../foundation/database-errors.ts'
import type { Db } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import type { FoundSession } from './session-rows.ts'

/** The settings about the age of sessions. */
export type SessionLimits = {
  /** Seconds without activity after which a session ends. */
  lifetimeSeconds: number
  /** Seconds after which a session ends regardless of activity. 0 means no limit. */
  absoluteSeconds: number
}

export type SessionSettings = SessionLimits & {
  /** Seconds since the last extension after which activity extends a session again. */
  updateAgeSeconds: number
  /** Whether activity extends sessions at all. */
  extendsOnActivity: boolean
  /** Seconds since the sign-in within which a session may do what is sensitive. 0 disables the check. */
  freshAgeSeconds: number
}

type LifetimeContext = { db: Db; now: Date; config: { session: SessionSettings } }

/** A session that is not remembered ends after a day, regardless of the settings. */
const unrememberedSeconds = 86_400

/** Returns when a session used now expires: after its lifetime, but no later than its absolute lifetime. */
export function expiryOf(
  now: Date,
  { lifetimeSeconds, absoluteSeconds }: SessionLimits,
  { createdAt, remembered }: { createdAt: Date; remembered: boolean },
): Date {
  const unused = now.getTime() + (remembered ? lifetimeSeconds : unrememberedSeconds) * 1000
  const latest = absoluteSeconds === 0 ? unused : createdAt.getTime() + absoluteSeconds * 1000
  return new Date(Math.min(unused, latest))
}

/**
 * Extends a session that was used, if the update age has passed since the last extension. A session that is not
 * remembered is never extended, and none beyond its absolute lifetime.
 *
 * Returns the new expiry, `unchanged` if the session is not due or the database is read-only at the moment (REL-09), or
 * `gone` if the session was ended, or given a token other than `sessionToken`, in the meantime (SEC-62).
 */
export async function extendIfDue(
  { db, now, config }: LifetimeContext,
  { session, remembered }: FoundSession,
  sessionToken?: string,
): Promise<Date | 'unchanged' | 'gone'> {
  const { id, createdAt } = session
  const { lifetimeSeconds, updateAgeSeconds, extendsOnActivity: isExtended } = config.session
  const extendedAt = session.expiresAt.getTime() - lifetimeSeconds * 1000
  const isDue = remembered && isExtended && extendedAt + updateAgeSeconds * 1000 <= now.getTime()
  const expiresAt = expiryOf(now, config.session, { createdAt, remembered })
  if (!isDue || expiresAt <= session.expiresAt) return 'unchanged'
  try {
    const { count } = await db.session.updateMany({
      where: { id, ...(sessionToken !== undefined && { tokenHash: sha256(sessionToken) }) },
      data: { expiresAt, updatedAt: now },
    })
    return count === 1 ? expiresAt : 'gone'
  } catch (error) {
    // A later call extends the session.
    if (isUnavailable(error)) return 'unchanged'
    throw error
  }
}

/** Whether the session was created, and not just used, within the fresh age. */
export function isFresh({ now, config }: Omit<LifetimeContext, 'db'>, { createdAt }: { createdAt: Date }): boolean {
  const { freshAgeSeconds } = config.session
  return freshAgeSeconds === 0 || now.getTime() - createdAt.getTime() < freshAgeSeconds * 1000
}

/** Refuses a session that was created longer ago than the fresh age. */
export function requireFresh(ctx: Omit<LifetimeContext, 'db'>, session: { createdAt: Date }): void {
  if (!isFresh(ctx, session)) refuse('SESSION_IS_NOT_FRESH')
}
