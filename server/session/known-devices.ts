import type { Cookies } from '../foundation/cookies.ts'
import { newSecret, sha256 } from '../foundation/crypto.ts'

/**
 * A signed cookie with a random browser id and the users who have signed in with it, so that they are recognized after
 * signing out: `id~mark.generation~mark.generation`. A new password increments the user's generation.
 */
const cookieName = 'foyer.known_devices'
const maxUsers = 5
const lifetimeDays = 400

/** The user a browser may be known to: the id and the current generation from the user's row. */
type KnownDeviceUser = { id: string; deviceGeneration: number }

/** Eleven characters of a hash: enough to distinguish a few users, too short to identify them. */
function userHashPrefix(userId: string): string {
  return sha256(userId).slice(0, 11)
}

/** Returns the generation of a user stored in this browser; null if the user has not signed in with it. */
export function passwordVersionInCookie(cookies: Cookies, userId: string): number | null {
  const entry = read(cookies).marks.find((mark) => mark.startsWith(`${userHashPrefix(userId)}.`))
  const generation = Number(entry?.split('.')[1])
  return entry !== undefined && Number.isSafeInteger(generation) ? generation : null
}

/** Returns this browser's id if this user has signed in with it since the last password change. */
export function knownDevice(cookies: Cookies, owner: KnownDeviceUser | undefined): string | undefined {
  if (!owner || passwordVersionInCookie(cookies, owner.id) !== owner.deviceGeneration) return undefined
  return read(cookies).id
}

/** Remembers this browser: the user's attempts with it are counted separately, and sign-ins are not reported. */
export function rememberDevice(cookies: Cookies, { id: userId, deviceGeneration }: KnownDeviceUser): void {
  const { id = newSecret().slice(0, 22), marks } = read(cookies)
  const own = userHashPrefix(userId)
  const kept = [`${own}.${deviceGeneration}`, ...marks.filter((mark) => !mark.startsWith(`${own}.`))]
  cookies.setSigned(cookieName, [id, ...kept.slice(0, maxUsers)].join('~'), lifetimeDays * 86_400)
}

function read(cookies: Cookies): { id: string | undefined; marks: string[] } {
  const [id, ...marks] = cookies.getSigned(cookieName)?.split('~') ?? []
  return { id, marks }
}
