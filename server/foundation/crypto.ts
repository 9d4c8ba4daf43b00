import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
  randomInt,
  randomUUID,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'

/** Keys for one purpose. The first signs and encrypts, all verify and decrypt, so that secrets can be rotated. */
export type KeyList = readonly [KeyObject, ...KeyObject[]]

/** Keys derived from AUTH_SECRET, a separate list for each purpose, so that they are not interchangeable. */
export type Keys = { cookies: KeyList; links: KeyList; storage: KeyList; purchases: KeyList }

/**
 * Derives the keys with HKDF-SHA-256 (RFC 5869) from each secret in AUTH_SECRET: 256 bits each, labelled by purpose.
 */
export function deriveKeys([current, ...former]: readonly [string, ...string[]]): Keys {
  const keys = (use: string): KeyList => {
    const derive = (secret: string) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'foyer', use, 32)))
    return [derive(current), ...former.map(derive)]
  }
  return {
    cookies: keys('signed cookies'),
    links: keys('mailed links'),
    storage: keys('secrets at rest'),
    purchases: keys('owners of purchases'),
  }
}

/** A random UUID (122 random bits), used for row ids. */
export function newId(): string {
  return randomUUID()
}

/** 256 random bits as 43 characters of base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Characters of an alphabet, chosen at random. */
export function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Whether a text has the form of a secret. */
export function hasSecretFormat(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** SHA-256 as base64url. Sufficient for secrets with at least 128 random bits (SEC-53). */
export function sha256(text: string): string {
  return hash('sha256', text, 'base64url')
}

/** HMAC-SHA-256 as base64url (43 characters). */
export function sign([key]: KeyList, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

/** Whether the signature is valid for the text under one of the keys. Compared in constant time. */
export function verifySignature(keys: KeyList, text: string, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url')
  return keys.some((key) => {
    const expected = createHmac('sha256', key).update(text).digest()
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/**
 * Encrypts with AES-256-GCM and a fresh 96-bit nonce. `associatedData` says what the text is for, and must be the same to
 * decrypt it. Format: `1.nonce.ciphertext+tag`.
 */
export function encrypt([key]: KeyList, text: string, associatedData: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associatedData))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `1.${nonce.toString('base64url')}.${sealed.toString('base64url')}`
}

/** Decrypts a text. Returns undefined if it was altered, or was encrypted with another key or other data. */
export function decrypt(keys: KeyList, sealedText: string, associatedData: string): string | undefined {
  for (const key of keys) {
    const text = decryptWith(key, sealedText, associatedData)
    if (text !== undefined) return text
  }
  return undefined
}

/** Re-encrypts a text with the current key. Returns undefined if it already uses it, or if no key decrypts it. */
export function reencrypt(keys: KeyList, sealedText: string, associatedData: string): string | undefined {
  if (decryptWith(keys[0], sealedText, associatedData) !== undefined) return undefined
  const text = decrypt(keys, sealedText, associatedData)
  return text === undefined ? undefined : encrypt(keys, text, associatedData)
}

function decryptWith(key: KeyObject, sealedText: string, associatedData: string): string | undefined {
  const [version, nonce, sealed] = sealedText.split('.')
  if (version !== '1' || !nonce || !sealed) return undefined
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < 16) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
    decipher.setAAD(Buffer.from(associatedData)).setAuthTag(bytes.subarray(-16))
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
