import { newSecret, sha256 } from '../foundation/crypto.ts'
import type { Cookies } from '../foundation/cookies.ts'

/**
 * A signed cookie with a random id of this browser and who has signed in with it, so that its owners are known again after
 * signing out: `id~mark.generation~mark.generation`. A new password raises the generation of its user.
 */
const cookieName = 'foyer.known_devices'
const maxUsers = 5
const lifetimeDays = 400

/** Whom a browser may know: the id, and the generation that the user's row has now. */
export type DeviceOwner = { id: string; deviceGeneration: number }

/** Eleven characters of a hash: enough to tell a few people apart, nothing to find them by. */
function markOf(userId: string): string {
  return sha256(userId).slice(0, 11)
}

/** The generation that this browser remembers of a user; null when the user has not signed in with it. */
export function knownGeneration(cookies: Cookies, userId: string): number | null {
  const entry = read(cookies).marks.find((mark) => mark.startsWith(`${markOf(userId)}.`))
  const generation = Number(entry?.split('.')[1])
  return entry !== undefined && Number.isSafeInteger(generation) ? generation : null
}

/** The id of this browser, if this user has signed in with it since the last new password. */
export function knownDevice(cookies: Cookies, owner: DeviceOwner | undefined): string | undefined {
  if (!owner || knownGeneration(cookies, owner.id) !== owner.deviceGeneration) return undefined
  return read(cookies).id
}

/** From now on this user's attempts with this browser count by themselves, and sign-ins with it are not reported. */
export function rememberDevice(cookies: Cookies, { id: userId, deviceGeneration }: DeviceOwner): void {
  const { id = newSecret().slice(0, 22), marks } = read(cookies)
  const own = markOf(userId)
  const kept = [`${own}.${deviceGeneration}`, ...marks.filter((mark) => !mark.startsWith(`${own}.`))]
  cookies.setSigned(cookieName, [id, ...kept.slice(0, maxUsers)].join('~'), lifetimeDays * 86_400)
}

function read(cookies: Cookies): { id: string | undefined; marks: string[] } {
  const [id, ...marks] = cookies.getSigned(cookieName)?.split('~') ?? []
  return { id, marks }
}
