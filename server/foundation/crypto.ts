import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
  randomUUID,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'

/** Keys that are derived from AUTH_SECRET, one for each use, so that none opens what another closed. */
export type Keys = { cookies: KeyObject; links: Buffer; storage: Buffer; purchases: KeyObject }

/** HKDF-SHA-256 (RFC 5869) over the server's secret, 256 bits a key, the use as its label. */
export function deriveKeys(authSecret: string): Keys {
  const key = (use: string) => Buffer.from(hkdfSync('sha256', authSecret, 'foyer', use, 32))
  return {
    cookies: createSecretKey(key('signed cookies')),
    links: key('mailed links'),
    storage: key('secrets at rest'),
    purchases: createSecretKey(key('owners of purchases')),
  }
}

/** A random UUID (122 random bits): the id of every row. */
export function newId(): string {
  return randomUUID()
}

/** 256 random bits as 43 characters of base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 as base64url: enough for secrets of 128 random bits and more (SEC-53). */
export function sha256(text: string): string {
  return hash('sha256', text, 'base64url')
}

/** HMAC-SHA-256 as base64url (43 characters). */
export function sign(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

/** Is this the signature of the text? Compared in constant time. */
export function isSignature(key: KeyObject, text: string, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url')
  const expected = createHmac('sha256', key).update(text).digest()
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** AES-256-GCM under a fresh 96-bit nonce; `about` is bound to the text (associated data). Form: `1.nonce.text+tag`. */
export function encrypt(key: Buffer, text: string, about: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `1.${nonce.toString('base64url')}.${sealed.toString('base64url')}`
}

/** The text that `encrypt` closed, or undefined when it was altered or closed under another key or for something else. */
export function decrypt(key: Buffer, sealedText: string, about: string): string | undefined {
  const [version, nonce, sealed] = sealedText.split('.')
  if (version !== '1' || !nonce || !sealed) return undefined
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < 16) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
    decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(-16))
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
