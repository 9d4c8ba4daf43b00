import { verify as verifyArgon2 } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { createCipheriv, pbkdf2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** Highest accepted costs: a stored hash decides how much work each sign-in is. Memory in KiB; about a second of CPU. */
const bounds = { argon2Memory: 131_072, argon2Passes: 8, bcryptCost: 13, scryptMemory: 131_072, pbkdf2: 2_000_000 }

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

/** Password hashes of other systems. A user's is verified once and then replaced by argon2id. */
const schemes: Record<string, Scheme> = {
  argon2: {
    costs: 3,
    pattern: new RegExp(
      `^\\$argon2(?:id|i|d)\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})\\$${base64}\\$(${base64})$`,
    ),
    isBounded: (memory, passes, lanes) =>
      Number(memory) <= bounds.argon2Memory && Number(passes) <= bounds.argon2Passes && Number(lanes) <= 8,
    verify: (password, stored) => verifyArgon2(stored, password),
  },
  bcrypt: {
    costs: 1,
    pattern: /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{22}([./A-Za-z0-9]{31})$/,
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
    isBounded: (_digest, rounds) => Number(rounds) >= 1 && Number(rounds) <= bounds.pbkdf2,
    verify: async (password, _stored, digest = '', rounds, salt = '', key = '') => {
      const expected = decode(key)
      return isEqual(await derivePbkdf2(password, decode(salt), Number(rounds), expected.length, digest), expected)
    },
  },
}

const derivePbkdf2 = promisify(pbkdf2)

type ScryptCost = { ln: number; r: number; p: number; length: number }

function deriveScrypt(password: string, salt: string | Buffer, { ln, r, p, length }: ScryptCost): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: 2 * 128 * 2 ** ln * r + 1_048_576 }
  return new Promise((done, fail) => {
    scrypt(password, salt, length, options, (error, key) => (error ? fail(error) : done(key)))
  })
}

function isScryptBounded(ln: number, r: number, p: number): boolean {
  const isInRange = ln >= 1 && ln <= 20 && r >= 1 && r <= 32 && p >= 1 && p <= 4
  return isInRange && (128 * 2 ** ln * r) / 1024 <= bounds.scryptMemory
}

function decode(text: string, encoding: 'base64' | 'hex' = 'base64'): Buffer {
  // passlib writes a dot for the plus; base64url is read by Node as it is.
  return Buffer.from(encoding === 'base64' ? text.replaceAll('.', '+') : text, encoding)
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length > 0 && one.length === other.length && timingSafeEqual(one, other)
}

/** The scheme of a hash with what its pattern captured, or undefined if it is not known. */
function schemeOf(stored: string): { name: string; scheme: Scheme; groups: string[] } | undefined {
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
  if (!found) return 'UNKNOWN_HASH'
  return found.scheme.isBounded(...found.groups) ? undefined : 'HASH_TOO_COSTLY'
}

/** Verifies a password with any hash that can be imported. */
export async function verifyForeign(password: string, stored: string): Promise<boolean> {
  const found = schemeOf(stored)
  return found !== undefined && found.scheme.verify(password, stored, ...found.groups)
}

/**
 * A hash with the cost of this one that no password has, and the name of that cost. Somebody who guesses is answered after the same
 * time for users who do not exist.
 */
export function decoyOf(stored: string): { cost: string; decoy: string } | undefined {
  const found = schemeOf(stored)
  const digest = found?.groups.at(-1)
  if (!found || digest === undefined) return undefined
  const { name, scheme, groups } = found
  return { cost: [name, ...groups.slice(0, scheme.costs)].join(' '), decoy: withDigest(stored, digest) }
}

/** Replaces the digest by a random one of the same alphabet and length. */
function withDigest(stored: string, digest: string): string {
  const isHex = /^[\da-f]+$/.test(digest)
  const bytes = randomBytes(digest.length)
  const random = isHex
    ? bytes.toString('hex').slice(0, digest.length)
    : bytes.toString('base64').replaceAll(/[+=]/g, 'A').slice(0, digest.length)
  return stored.slice(0, -digest.length) + random
}
