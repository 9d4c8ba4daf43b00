import type { CurrentSession, Session } from '../../shared/session.ts'
import { newId, newSecret, sha256 } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { isBanned } from './session-rows.ts'

/** How long an administrator may act as a user, in seconds. */
const impersonationSeconds = 3600

/**
 * Starts a session of a user for an administrator. It ends with the administrator's own session, and is never extended.
 */
export async function createImpersonation(
  tx: Tx,
  { userId, caller, now, ipAddress, userAgent }: Impersonation,
): Promise<{ session: Session; sessionToken: string }> {
  const sessionToken = newSecret()
  const expiresAt = Math.min(now.getTime() + impersonationSeconds * 1000, caller.session.expiresAt.getTime())
  const { impersonatedBy: _administrator, ...row } = await tx.session.create({
    data: {
      id: newId(),
      token: newId(),
      tokenHash: sha256(sessionToken),
      userId,
      expiresAt: new Date(expiresAt),
      createdAt: now,
      updatedAt: now,
      remembered: false,
      ipAddress,
      userAgent,
      method: 'impersonation',
      impersonatedBy: caller.user.id,
      impersonatorSessionId: caller.session.id,
    },
  })
  return { session: { ...row, impersonatedBy: caller.user.id }, sessionToken }
}

type Impersonation = { userId: string; caller: CurrentSession; now: Date; ipAddress: string; userAgent: string }

/**
 * The administrator behind a session, and the administrator's own session. Undefined once that session has ended, or
 * its user is banned or no longer an administrator.
 */
export async function findImpersonator(db: Db, sessionId: string, now: Date) {
  const row = await db.session.findUnique({
    where: { id: sessionId },
    select: { impersonator: true, impersonatorSession: { select: { id: true, expiresAt: true } } },
  })
  if (!row?.impersonator || !row.impersonatorSession || row.impersonatorSession.expiresAt <= now) return undefined
  const { id, name, email, role } = row.impersonator
  if (role !== 'admin' || isBanned(row.impersonator, now)) return undefined
  return { administrator: { id, name, email }, sessionId: row.impersonatorSession.id }
}

/** Deletes one impersonation, or all those of an administrator's own session. Returns those that had not ended yet. */
export async function deleteImpersonations(
  tx: Tx,
  { id, ofSession }: { id: string | undefined; ofSession: string | undefined },
): Promise<{ id: string; userId: string; impersonatedBy: string }[]> {
  return tx.$queryRaw`
    delete from "Session" where "impersonatedBy" is not null and (id = ${id ?? null} or "impersonatorSessionId" = ${ofSession ?? null})
    returning id, "userId", "impersonatedBy"`
}

/** Deletes all impersonations that an administrator has started. */
export async function deleteImpersonationsBy(tx: Tx, administratorId: string): Promise<void> {
  await tx.session.deleteMany({ where: { impersonatedBy: administratorId } })
}
