import type { FullUser } from '../../shared/account.ts'
import { CurrentSession } from '../../shared/session.ts'
import { clearSignUpMark } from '../account/verification.ts'
import type { Context } from '../context.ts'
import { sha256 } from '../foundation/crypto.ts'
import { readSecret, setSessionCookies, wantsNoMemory } from './session-cookies.ts'
import { createSession, endSession } from './sessions.ts'

/** How a session is wanted; whether it is remembered is up to the browser's flag where the call does not say. */
type Wish = { remembered?: boolean; passwordHash?: string; activeOrganizationId?: string }

/** Opens a session for this user in this browser. Undefined when the password was changed meanwhile. */
export async function openSession(ctx: Context, user: FullUser, wish: Wish = {}) {
  const { remembered, passwordHash, activeOrganizationId } = wish
  await appoint(ctx, user)
  const isRemembered = remembered ?? !wantsNoMemory(ctx)
  const former = readSecret(ctx)
  const opened = await createSession(ctx.pool, {
    userId: user.id,
    now: ctx.now,
    ipAddress: ctx.ipAddress,
    userAgent: ctx.userAgent,
    remembered: isRemembered,
    lifetimeSeconds: ctx.config.sessionLifetimeSeconds,
    activeOrganizationId,
    ...(passwordHash !== undefined && { passwordHash }),
  })
  if (!opened) return undefined
  // What this browser had open is replaced: its cookie is gone, so nobody could end it but from the list.
  if (former !== undefined) await endSession(ctx.db, former)
  // The user's row may know more than the browser is to keep.
  const current = CurrentSession.parse({ session: opened.session, user })
  setSessionCookies(ctx, { secret: opened.secret, current, remembered: isRemembered })
  clearSignUpMark(ctx.cookies)
  const wasHere = isKnownHere(ctx, user.id)
  rememberHere(ctx, user.id)
  ctx.log.info({ requestId: ctx.requestId, address: ctx.address, userId: user.id }, 'signed in')
  return { ...opened.session, isKnownDevice: opened.isKnownDevice || wasHere }
}

/** Whoever the operator names in ADMIN_EMAILS is an administrator once the address is proven; the session says so at once. */
async function appoint({ config, db }: Context, user: FullUser): Promise<void> {
  if (user.role === 'admin' || !user.emailVerified || !config.adminEmails.includes(user.email)) return
  await db.user.update({ where: { id: user.id }, data: { role: 'admin' } })
  user.role = 'admin'
}

/** Keeps in this browser who has signed in here, so that the owner is not warned of it again after signing out. */
const visitors = 'foyer.visitors'
const mostVisitors = 5
const visitorDays = 400

/** Eleven signs of a hash: enough to tell a few people apart, nothing to find them by. */
function visitorMark(userId: string): string {
  return sha256(userId).slice(0, 11)
}

function isKnownHere({ cookies }: Context, userId: string): boolean {
  return cookies.getSigned(visitors)?.split('~').includes(visitorMark(userId)) ?? false
}

function rememberHere({ cookies }: Context, userId: string): void {
  const others = cookies.getSigned(visitors)?.split('~') ?? []
  const marks = [visitorMark(userId), ...others.filter((mark) => mark !== visitorMark(userId))]
  cookies.setSigned(visitors, marks.slice(0, mostVisitors).join('~'), visitorDays * 86_400)
}
