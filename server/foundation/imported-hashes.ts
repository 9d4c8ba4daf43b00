import { createCipheriv, pbkdf2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { verify as verifyArgon2 } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'

/**
 * Maximum accepted costs, because a stored hash determines how much work each sign-in is. They admit the parameters
 * that OWASP recommends for each scheme, up to about one second of CPU (measured: a million blocks of PBKDF2-SHA-512
 * take 0.8 s, bcrypt 13 takes 0.6 s). This work is queued separately from Foyer's own hashes (password-hashing.ts).
 * Memory is in KiB.
 */
const bounds = {
  memory: 131_072,
  /** Memory times passes. */
  argon2: 393_216,
  bcryptCost: 13,
  /** N times r times p. */
  scrypt: 2 ** 20,
  /** Rounds times blocks of the digest. */
  pbkdf2: 1_300_000,
}

/** Minimum accepted salt and digest, in bytes. Too many passwords match a shorter digest. */
const minBytes = { salt: 8, digest: 16 }
/** Maximum accepted digest, in bytes. Each further block adds work and no security. */
const maxDigestBytes = 128

type Scheme = {
  /** Its groups capture the costs first, then the rest. The last group is the digest. */
  pattern: RegExp
  /** How many of the groups are costs. */
  costs: number
  /** Whether the cost is within the bounds. */
  isBounded: (...groups: string[]) => boolean
  verify: (password: string, stored: string, ...groups: string[]) => Promise<boolean>
}

/** Maximum length of a stored hash, in characters. */
const maxLength = 1024

const base64 = '[A-Za-z0-9+/._-]+={0,2}'
/** PHC strings have no padding. */
const bare = '[A-Za-z0-9+/]+'

/** Password hash schemes of other systems. A user's hash is verified once and then replaced by argon2id. */
const schemes: Record<string, Scheme> = {
  argon2: {
    costs: 3,
    pattern: new RegExp(
      `^\\$argon2(?:id|i|d)\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})\\$(${bare})\\$(${bare})$`,
    ),
    isBounded: (memory, passes, lanes) =>
      Number(memory) <= bounds.memory && Number(memory) * Number(passes) <= bounds.argon2 && Number(lanes) <= 8,
    verify: (password, stored) => verifyArgon2(stored, password),
  },
  bcrypt: {
    costs: 1,
    // The unused trailing bits of salt and digest are zero.
    pattern: /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu]([./A-Za-z0-9]{30}[.CGKOSWaeimquy26])$/,
    isBounded: (cost) => Number(cost) >= 4 && Number(cost) <= bounds.bcryptCost,
    // The letter marks bugs of old implementations. All of them now write hashes equivalent to 2b.
    verify: (password, stored) => verifyBcrypt(password, stored.replace(/^\$2[ay]/, '$2b')),
  },
  // better-auth: the salt is hexadecimal and used as text; the key is hexadecimal.
  betterAuth: {
    costs: 0,
    pattern: /^([\da-f]{32}):([\da-f]{128})$/,
    isBounded: () => true,
    verify: async (password, _stored, salt = '', key = '') =>
      isEqual(
        await deriveScrypt(password.normalize('NFKC'), salt, { ln: 14, r: 16, p: 1, length: 64 }),
        decode(key, 'hex'),
      ),
  },
  scrypt: {
    costs: 3,
    pattern: new RegExp(`^\\$scrypt\\$ln=(\\d{1,2}),r=(\\d{1,2}),p=(\\d{1,2})\\$(${base64})\\$(${base64})$`),
    isBounded: (ln, r, p) => isScryptBounded(Number(ln), Number(r), Number(p)),
    verify: async (password, _stored, ln, r, p, salt = '', key = '') => {
      const expected = decode(key)
      const cost = { ln: Number(ln), r: Number(r), p: Number(p), length: expected.length }
      return isEqual(await deriveScrypt(password, decode(salt), cost), expected)
    },
  },
  // Firebase, with the parameters of its project in each hash: ss is the salt separator, sk the signer key.
  firebase: {
    costs: 3,
    pattern: new RegExp(
      `^\\$fbscrypt\\$v=1,n=(\\d{1,2}),r=(\\d{1,2}),p=(\\d{1,2}),ss=(${base64}|),sk=(${base64})\\$(${base64})\\$(${base64})$`,
    ),
    isBounded: (ln, r, p) => isScryptBounded(Number(ln), Number(r), Number(p)),
    verify: async (password, _stored, ln, r, p, separator = '', signer = '', salt = '', key = '') => {
      const cost = { ln: Number(ln), r: Number(r), p: Number(p), length: 32 }
      const derived = await deriveScrypt(password, Buffer.concat([decode(salt), decode(separator)]), cost)
      const cipher = createCipheriv('aes-256-ctr', derived, Buffer.alloc(16))
      return isEqual(Buffer.concat([cipher.update(decode(signer)), cipher.final()]), decode(key))
    },
  },
  // PHC writes i=; passlib writes the number alone, and a dot instead of a plus sign.
  pbkdf2: {
    costs: 2,
    pattern: new RegExp(
      `^\\$pbkdf2-(sha1|sha256|sha512)\\$(?:i=)?(\\d{1,8})(?:,l=\\d{1,3})?\\$(${base64})\\$(${base64})$`,
    ),
    isBounded: (digest = '', rounds, _salt, key = '') => {
      const blocks = Math.ceil(decode(key).length / (digestBytes[digest] ?? 1))
      return Number(rounds) >= 1 && Number(rounds) * blocks <= bounds.pbkdf2
    },
    verify: async (password, _stored, digest = '', rounds, salt = '', key = '') => {
      const expected = decode(key)
      return isEqual(await derivePbkdf2(password, decode(salt), Number(rounds), expected.length, digest), expected)
    },
  },
}

const derivePbkdf2 = promisify(pbkdf2)
const digestBytes: Record<string, number> = { sha1: 20, sha256: 32, sha512: 64 }

type ScryptCost = { ln: number; r: number; p: number; length: number }

function deriveScrypt(password: string, salt: string | Buffer, { ln, r, p, length }: ScryptCost): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: 2 * 128 * 2 ** ln * r + 1_048_576 }
  return new Promise((done, fail) => {
    scrypt(password, salt, length, options, (error, key) => (error ? fail(error) : done(key)))
  })
}

function isScryptBounded(ln: number, r: number, p: number): boolean {
  const isInRange = ln >= 1 && ln <= 20 && r >= 1 && r <= 32 && p >= 1 && p <= 16
  // Node requires N to be below 2 to the power of 16 times r.
  const isPossible = ln < 16 * r
  return isInRange && isPossible && 2 ** ln * r * p <= bounds.scrypt && (128 * 2 ** ln * r) / 1024 <= bounds.memory
}

function decode(text: string, encoding: 'base64' | 'hex' = 'base64'): Buffer {
  // passlib writes a dot instead of a plus sign. Node reads base64url directly.
  return Buffer.from(encoding === 'base64' ? text.replaceAll('.', '+') : text, encoding)
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length > 0 && one.length === other.length && timingSafeEqual(one, other)
}

type ParsedHash = { name: string; scheme: Scheme; groups: string[] }

/** The scheme of a hash and the groups that its pattern captured. Undefined if the scheme is unknown. */
function schemeOf(stored: string): ParsedHash | undefined {
  if (stored.length > maxLength) return undefined
  for (const [name, scheme] of Object.entries(schemes)) {
    const match = scheme.pattern.exec(stored)
    if (match) return { name, scheme, groups: match.slice(1) }
  }
  return undefined
}

/** The reason why a hash cannot be imported. Undefined if it can. */
export function hashProblem(stored: string): 'UNKNOWN_HASH' | 'HASH_TOO_COSTLY' | undefined {
  const found = schemeOf(stored)
  if (!found || !isSound(found)) return 'UNKNOWN_HASH'
  return found.scheme.isBounded(...found.groups) ? undefined : 'HASH_TOO_COSTLY'
}

/** Whether salt and digest have a plausible length and a form that the verifier accepts. */
function isSound({ name, groups }: ParsedHash): boolean {
  if (name === 'argon2' && !isSoundArgon2(groups)) return false
  if (name === 'bcrypt' || name === 'betterAuth') return true
  const [salt = '', digest = ''] = groups.slice(-2)
  const length = decode(digest).length
  return decode(salt).length >= minBytes.salt && length >= minBytes.digest && length <= maxDigestBytes
}

/** The rules of argon2 (RFC 9106, 3.1) and of its library, which rejects numbers and base64 that are not canonical. */
function isSoundArgon2(groups: string[]): boolean {
  const numbers = groups.slice(0, 3)
  const [memory = 0, passes = 0, lanes = 0] = numbers.map(Number)
  const isCanonical =
    numbers.every((text) => String(Number(text)) === text) &&
    groups.slice(3).every((text) => decode(text).toString('base64').replace(/=+$/, '') === text)
  return isCanonical && passes >= 1 && lanes >= 1 && memory >= 8 * lanes
}

/** Verifies a password against a hash of any importable scheme. */
export async function verifyImported(password: string, stored: string): Promise<boolean> {
  const found = schemeOf(stored)
  return found !== undefined && found.scheme.verify(password, stored, ...found.groups)
}

/**
 * A hash of the same cost that matches no password, and a name for that cost. With it, an attempt for an email address
 * without an account takes the same time as a wrong password. The salt and digest are random, not those of the stored
 * hash.
 */
export function decoyOf(stored: string): { cost: string; decoy: string } | undefined {
  const found = schemeOf(stored)
  const digest = found?.groups.at(-1)
  if (!found || digest === undefined) return undefined
  const { name, scheme, groups } = found
  const cost = [name, ...groups.slice(0, scheme.costs), digest.replace(/=+$/, '').length].join(' ')
  if (name === 'betterAuth')
    return { cost, decoy: `${randomBytes(16).toString('hex')}:${randomBytes(64).toString('hex')}` }
  if (name === 'bcrypt') {
    // Salt and digest are adjacent, and the unused trailing bits of each are zero.
    const decoy = `${stored.slice(0, 7)}${bcryptText(21)}e${bcryptText(30)}O`
    return { cost, decoy }
  }
  const salt = groups.at(-2) ?? ''
  const before = stored.slice(0, -`${salt}$${digest}`.length)
  return { cost, decoy: `${before}${randomLike(salt)}$${randomLike(digest)}` }
}

/** As many random bytes as this text encodes, with or without padding. */
function randomLike(text: string): string {
  const random = randomBytes(decode(text).length).toString('base64')
  return text.endsWith('=') ? random : random.replace(/=+$/, '')
}

/** Random characters of bcrypt's base64. */
function bcryptText(length: number): string {
  return randomBytes(length).toString('base64').replaceAll(/[+/=]/g, '.').slice(0, length)
}
