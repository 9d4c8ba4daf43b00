import type { Cookies } from '../foundation/cookies.ts'
import { newSecret, sha256 } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'

/**
 * A signed cookie with the users who skip the second factor in this browser: `user.fingerprint.until~…`, with a part of
 * a hash of the user's id. The fingerprint changes with the password and with the authenticator app.
 */
const cookieName = 'foyer.trust_device'
const maxUsers = 5
const lifetimeSeconds = 30 * 86_400

/** The user and the values that a trusted browser is bound to. */
type TrustedDeviceBinding = { id: string; passwordVersion: number; trustId: string }

function userHashPrefix({ id }: TrustedDeviceBinding): string {
  return sha256(id).slice(0, 11)
}

function trustFingerprint({ id, passwordVersion, trustId }: TrustedDeviceBinding): string {
  return sha256(`${id} ${passwordVersion} ${trustId}`).slice(0, 22)
}

/** Whether this user has trusted this browser within the last 30 days. */
export function isTrustedDevice(cookies: Cookies, owner: TrustedDeviceBinding, now: Date): boolean {
  const [, fingerprint, until] =
    read(cookies)
      .find((entry) => entry.startsWith(`${userHashPrefix(owner)}.`))
      ?.split('.') ?? []
  return fingerprint === trustFingerprint(owner) && Number.parseInt(until ?? '', 36) * 1000 > now.getTime()
}

/** Trusts this browser for 30 days. */
export function trustDevice(cookies: Cookies, owner: TrustedDeviceBinding, now: Date): void {
  const own = userHashPrefix(owner)
  const until = Math.floor(now.getTime() / 1000) + lifetimeSeconds
  const kept = read(cookies).filter((entry) => !entry.startsWith(`${own}.`))
  const entries = [`${own}.${trustFingerprint(owner)}.${until.toString(36)}`, ...kept].slice(0, maxUsers)
  cookies.setSigned(cookieName, entries.join('~'), lifetimeSeconds)
}

function read(cookies: Cookies): string[] {
  return cookies.getSigned(cookieName)?.split('~') ?? []
}

/** The values that a user's trusted browsers are bound to. Undefined if the user has no authenticator app. */
export async function findTrustedDeviceBinding(db: Db, id: string): Promise<TrustedDeviceBinding | undefined> {
  const user = await db.user.findUnique({
    where: { id },
    select: { passwordVersion: true, twoFactor: { select: { trustId: true } } },
  })
  if (!user?.twoFactor) return undefined
  return { id, passwordVersion: user.passwordVersion, trustId: user.twoFactor.trustId }
}

/** Ends the user's trust in all browsers. */
export async function revokeTrustedDevices(tx: Tx, userId: string): Promise<void> {
  await tx.twoFactor.updateMany({ where: { userId }, data: { trustId: newSecret() } })
}
