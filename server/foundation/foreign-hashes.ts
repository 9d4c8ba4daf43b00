import { verify as verifyArgon2 } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { createCipheriv, pbkdf2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/**
 * Highest accepted costs: a stored hash decides how much work each sign-in is. They admit what OWASP recommends for each scheme, up
 * to about a second of CPU (measured: a million blocks of PBKDF2-SHA-512 take 0.8 s, bcrypt 13 takes 0.6 s), which is done apart from
 * Foyer's own hashes (password-hashing.ts). Memory in KiB.
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

/** Shortest accepted salt and digest, in bytes: a shorter digest is matched by too many passwords. */
const shortest = { salt: 8, digest: 16 }
/** Longest accepted digest: each further block is more work for nothing. */
const longestDigest = 128

type Scheme = {
  /** Its groups: what decides the cost, then the rest; the last one is the digest. */
  pattern: RegExp
  /** How many of the groups decide the cost. */
  costs: number
  /** Whether its cost is within the bounds. */
  isBounded: (...groups: string[]) => boolean
  verify: (password: string, stored: string, ...groups: string[]) => Promise<boolean>
}

/** Characters of a stored hash. */
const maxLength = 1024

const base64 = '[A-Za-z0-9+/._-]+={0,2}'
/** Without padding, as PHC has it. */
const bare = '[A-Za-z0-9+/]+'

/** Password hashes of other systems. A user's is verified once and then replaced by argon2id. */
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
    // Salt and digest end on bits that are zero.
    pattern: /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu]([./A-Za-z0-9]{30}[.CGKOSWaeimquy26])$/,
    isBounded: (cost) => Number(cost) >= 4 && Number(cost) <= bounds.bcryptCost,
    // The letter tells bugs of old implementations apart; what all of them write today is 2b.
    verify: (password, stored) => verifyBcrypt(password, stored.replace(/^\$2[ay]/, '$2b')),
  },
  // better-auth: hexadecimal salt, which is used as text, and key.
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
  // PHC has i=; passlib writes the number alone and a dot for the plus.
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
  // Node's own limit: N is below 2 to the power of 16 times r.
  const isPossible = ln < 16 * r
  return isInRange && isPossible && 2 ** ln * r * p <= bounds.scrypt && (128 * 2 ** ln * r) / 1024 <= bounds.memory
}

function decode(text: string, encoding: 'base64' | 'hex' = 'base64'): Buffer {
  // passlib writes a dot for the plus; base64url is read by Node as it is.
  return Buffer.from(encoding === 'base64' ? text.replaceAll('.', '+') : text, encoding)
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length > 0 && one.length === other.length && timingSafeEqual(one, other)
}

type Found = { name: string; scheme: Scheme; groups: string[] }

/** The scheme of a hash with what its pattern captured, or undefined if it is not known. */
function schemeOf(stored: string): Found | undefined {
  if (stored.length > maxLength) return undefined
  for (const [name, scheme] of Object.entries(schemes)) {
    const match = scheme.pattern.exec(stored)
    if (match) return { name, scheme, groups: match.slice(1) }
  }
  return undefined
}

/** Why a hash cannot be imported, or undefined if it can. */
export function hashProblem(stored: string): 'UNKNOWN_HASH' | 'HASH_TOO_COSTLY' | undefined {
  const found = schemeOf(stored)
  if (!found || !isSound(found)) return 'UNKNOWN_HASH'
  return found.scheme.isBounded(...found.groups) ? undefined : 'HASH_TOO_COSTLY'
}

/** Whether salt and digest have a sensible length, in a form that is verified and not refused. */
function isSound({ name, groups }: Found): boolean {
  if (name === 'argon2' && !isSoundArgon2(groups)) return false
  if (name === 'bcrypt' || name === 'betterAuth') return true
  const [salt = '', digest = ''] = groups.slice(-2)
  const length = decode(digest).length
  return decode(salt).length >= shortest.salt && length >= shortest.digest && length <= longestDigest
}

/** What argon2 itself refuses (RFC 9106, 3.1), and its library: numbers and base64 in any other than their canonical form. */
function isSoundArgon2(groups: string[]): boolean {
  const numbers = groups.slice(0, 3)
  const [memory = 0, passes = 0, lanes = 0] = numbers.map(Number)
  const isCanonical =
    numbers.every((text) => String(Number(text)) === text) &&
    groups.slice(3).every((text) => decode(text).toString('base64').replace(/=+$/, '') === text)
  return isCanonical && passes >= 1 && lanes >= 1 && memory >= 8 * lanes
}

/** Verifies a password with any hash that can be imported. */
export async function verifyForeign(password: string, stored: string): Promise<boolean> {
  const found = schemeOf(stored)
  return found !== undefined && found.scheme.verify(password, stored, ...found.groups)
}

/**
 * A hash with the cost of this one that no password has, and the name of that cost. Somebody who guesses is answered after the same
 * time for users who do not exist. Nothing of the salt and digest is kept.
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
    // Salt and digest follow each other, and each ends on bits that are zero.
    const decoy = `${stored.slice(0, 7)}${bcryptText(21)}e${bcryptText(30)}O`
    return { cost, decoy }
  }
  const salt = groups.at(-2) ?? ''
  const before = stored.slice(0, -`${salt}$${digest}`.length)
  return { cost, decoy: `${before}${randomLike(salt)}$${randomLike(digest)}` }
}

/** Random bytes, as many as this text stands for, with its padding or without. */
function randomLike(text: string): string {
  const random = randomBytes(decode(text).length).toString('base64')
  return text.endsWith('=') ? random : random.replace(/=+$/, '')
}

/** Random characters of bcrypt's base64. */
function bcryptText(length: number): string {
  return randomBytes(length).toString('base64').replaceAll(/[+/=]/g, '.').slice(0, length)
}
