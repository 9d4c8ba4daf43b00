import { Secret, TOTP } from 'otpauth'
import { decrypt, encrypt, type KeyList } from '../foundation/crypto.ts'

/** The parameters that every authenticator app supports (RFC 6238): SHA-1, six digits, 30 seconds. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Time steps before and after the current one whose codes are accepted, because clocks differ. */
const drift = 1
/** Bytes of a secret (RFC 4226, 4: 160 bits are recommended). */
const secretBytes = 20

/** A new secret in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32
}

/** The URI that an authenticator app scans (otpauth://totp/…). */
export function totpUri(secret: string, { issuer, label }: { issuer: string; label: string }): string {
  return new TOTP({ ...form, issuer, label, secret: Secret.fromBase32(secret) }).toString()
}

/** The time step of a code. Undefined if the code is not valid now. */
export function timeStepOf(secret: string, code: string, now: Date): number | undefined {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const totp = new TOTP({ ...form, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token, window: drift, timestamp: now.getTime() })
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / form.period) + delta
}

/** The associated data of a stored secret's encryption. */
export const totpAad = (userId: string) => `totp:${userId}`

/** Encrypts a user's secret for the database. */
export function encryptTotp(keys: KeyList, secret: string, userId: string): string {
  return encrypt(keys, secret, totpAad(userId))
}

/** Decrypts a secret. Undefined if it was encrypted with an AUTH_SECRET that has been removed. */
export function decryptTotp(keys: KeyList, sealed: string, userId: string): string | undefined {
  return decrypt(keys, sealed, totpAad(userId))
}
