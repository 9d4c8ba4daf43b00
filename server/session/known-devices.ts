import type { Cookies } from '../foundation/cookies.ts'
import { newSecret, sha256 } from '../foundation/crypto.ts'

/**
 * A signed cookie with a random browser id and the users who have signed in with it, so that they are recognized after
 * signing out: `id~user.version~user.version`, with a part of a hash of the user's id, and the number of password
 * changes until then.
 */
const cookieName = 'foyer.known_devices'
const maxUsers = 5
const lifetimeDays = 400

/** The user a browser may be known to: the id and the current number of password changes. */
type KnownDeviceUser = { id: string; passwordVersion: number }

/** Eleven characters of a hash: enough to distinguish a few users, too short to identify them. */
function userHashPrefix(userId: string): string {
  return sha256(userId).slice(0, 11)
}

/**
 * Returns the number of password changes when the user last signed in with this browser; null if the user has not
 * signed in with it.
 */
export function passwordVersionInCookie(cookies: Cookies, userId: string): number | null {
  const entry = read(cookies).entries.find((one) => one.startsWith(`${userHashPrefix(userId)}.`))
  const version = Number(entry?.split('.')[1])
  return entry !== undefined && Number.isSafeInteger(version) ? version : null
}

/** Returns this browser's id if this user has signed in with it since the last password change. */
export function knownDevice(cookies: Cookies, owner: KnownDeviceUser | undefined): string | undefined {
  if (!owner || passwordVersionInCookie(cookies, owner.id) !== owner.passwordVersion) return undefined
  return read(cookies).id
}

/** Remembers this browser: the user's attempts with it are counted separately, and sign-ins are not reported. */
export function rememberDevice(cookies: Cookies, { id: userId, passwordVersion }: KnownDeviceUser): void {
  const { id = newSecret().slice(0, 22), entries } = read(cookies)
  const own = userHashPrefix(userId)
  const kept = [`${own}.${passwordVersion}`, ...entries.filter((one) => !one.startsWith(`${own}.`))]
  cookies.setSigned(cookieName, [id, ...kept.slice(0, maxUsers)].join('~'), lifetimeDays * 86_400)
}

function read(cookies: Cookies): { id: string | undefined; entries: string[] } {
  const [id, ...entries] = cookies.getSigned(cookieName)?.split('~') ?? []
  return { id, entries }
}
