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

/** Keys of one use: the first signs and encrypts, every one verifies and decrypts, so that a secret can be rotated. */
export type KeyList = readonly [KeyObject, ...KeyObject[]]

/** Keys that are derived from AUTH_SECRET, a list for each use, so that none opens what another closed. */
export type Keys = { cookies: KeyList; links: KeyList; storage: KeyList; purchases: KeyList }

/** HKDF-SHA-256 (RFC 5869) over each secret of AUTH_SECRET, 256 bits a key, the use as its label. */
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
export function sign([key]: KeyList, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

/** Is this the signature of the text by one of the keys? Compared in constant time. */
export function isSignature(keys: KeyList, text: string, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url')
  return keys.some((key) => {
    const expected = createHmac('sha256', key).update(text).digest()
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** AES-256-GCM under a fresh 96-bit nonce; `about` is bound to the text (associated data). Form: `1.nonce.text+tag`. */
export function encrypt([key]: KeyList, text: string, about: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `1.${nonce.toString('base64url')}.${sealed.toString('base64url')}`
}

/** The text that `encrypt` closed, or undefined when it was altered or closed under another key or for something else. */
export function decrypt(keys: KeyList, sealedText: string, about: string): string | undefined {
  for (const key of keys) {
    const text = decryptWith(key, sealedText, about)
    if (text !== undefined) return text
  }
  return undefined
}

/** The same text closed under the current key; undefined when it is already, or when no key opens it. */
export function reencrypt(keys: KeyList, sealedText: string, about: string): string | undefined {
  if (decryptWith(keys[0], sealedText, about) !== undefined) return undefined
  const text = decrypt(keys, sealedText, about)
  return text === undefined ? undefined : encrypt(keys, text, about)
}

function decryptWith(key: KeyObject, sealedText: string, about: string): string | undefined {
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
