import { sha256 } from '../foundation/crypto.ts'
import type { Cookies } from '../foundation/cookies.ts'

/** A signed cookie with who has signed in with this browser, so that its owners are known again after signing out. */
const cookieName = 'foyer.known_devices'
const maxUsers = 5
const lifetimeDays = 400

/** Eleven characters of a hash: enough to tell a few people apart, nothing to find them by. */
function markOf(userId: string): string {
  return sha256(userId).slice(0, 11)
}

/** Has this user signed in with this browser before? */
export function isKnownDevice(cookies: Cookies, userId: string | undefined): boolean {
  if (userId === undefined) return false
  return cookies.getSigned(cookieName)?.split('~').includes(markOf(userId)) ?? false
}

/** From now on this user's attempts with this browser count by themselves, and sign-ins with it are not reported. */
export function rememberDevice(cookies: Cookies, userId: string): void {
  const others = cookies.getSigned(cookieName)?.split('~') ?? []
  const marks = [markOf(userId), ...others.filter((mark) => mark !== markOf(userId))]
  cookies.setSigned(cookieName, marks.slice(0, maxUsers).join('~'), lifetimeDays * 86_400)
}
