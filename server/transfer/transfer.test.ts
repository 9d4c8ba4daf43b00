import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { hash as argon2, verify as verifyArgon2 } from '@node-rs/argon2'
import bcrypt from 'bcryptjs'
import { hashPassword as betterAuthHash } from 'better-auth/crypto'
import { FirebaseScrypt } from 'firebase-scrypt'
import { describe, expect, it } from 'vitest'
import { findDecoy } from '../account/find-decoy.ts'
import { refreshDecoys } from '../account/refresh-decoys.ts'
import type { App } from '../dependencies.ts'
import type { EventOrigin } from '../event/event-rows.ts'
import { decoyOf, hashProblem, verifyImported } from '../foundation/imported-hashes.ts'
import { createHasher } from '../foundation/password-hashing.ts'
import { sweep } from '../maintenance/sweep.ts'
import { createOrganizationOwner, createMember } from '../testing/organizations.ts'
import { folder, start, until, useProcesses } from '../testing/processes.ts'
import { emailedLink, createTestApp, type TestApp } from '../testing/test-app.ts'
import { createUser, createUnverifiedUser, newUserData } from '../testing/test-users.ts'
import { runImportCommand } from './command.ts'
import { exportLines } from './export-lines.ts'
import { importLines } from './import-lines.ts'
import type { Outcome } from './outcome.ts'

const load = createRequire(import.meta.url)
/** The package has no types. */
const pbkdf2: { hash: (password: string, options: { iterations: number; digest: string }) => Promise<string> } =
  load('@phc/pbkdf2')

useProcesses()

const testApp = await createTestApp()
const password = 'a sentence — from another system'

function userLine<More extends object>(more?: More) {
  const id: string = randomUUID()
  return { id, email: `${id}@example.test`, name: 'Imported', emailVerified: true, ...(more as More) }
}

async function bring(into: TestApp, lines: readonly unknown[], dryRun = false): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const ctx: App & EventOrigin = { ...into.app, now: into.app.clock(), ipAddress: '', userAgent: '', requestId: '' }
  const onOutcomes = (some: readonly Outcome[]) => void outcomes.push(...some)
  await importLines(ctx, Readable.from([text]), { dryRun, onOutcomes })
  return outcomes
}

async function exportOf(from: TestApp): Promise<string[]> {
  let text = ''
  const output = new Writable({ write: (chunk, _encoding, done) => void ((text += chunk), done()) })
  await exportLines(from.app, output)
  return text.split('\n').filter((line) => line !== '')
}

const signIn = (email: string, typed = password) => testApp.browser().post('/sign-in/email', { email, password: typed })

const firebase = {
  memCost: 14,
  rounds: 8,
  saltSeparator: 'Bw==',
  signerKey: Buffer.from('the signer key of a project, which has sixty-four bytes of key ok').toString('base64'),
}

/** Hashes made by the libraries of other systems. */
const hashes: [name: string, hash: () => Promise<string>][] = [
  ['argon2id', () => argon2(password, { algorithm: 2, memoryCost: 32, timeCost: 1 })],
  ['argon2i', () => argon2(password, { algorithm: 1, memoryCost: 4096, timeCost: 3 })],
  ['argon2d', () => argon2(password, { algorithm: 0, memoryCost: 4096, timeCost: 3 })],
  ['bcrypt', () => bcrypt.hash(password, 6)],
  ['bcrypt of PHP', async () => (await bcrypt.hash(password, 6)).replace('$2b$', '$2y$')],
  ['better-auth', () => betterAuthHash(password)],
  [
    'Firebase',
    async () => {
      const salt = Buffer.from('salt of a user').toString('base64')
      const digest = await new FirebaseScrypt(firebase).hash(password, salt)
      const { memCost, rounds, saltSeparator, signerKey } = firebase
      return `$fbscrypt$v=1,n=${memCost},r=${rounds},p=1,ss=${saltSeparator},sk=${signerKey}$${salt}$${digest}`
    },
  ],
  ['PBKDF2', () => pbkdf2.hash(password, { iterations: 1000, digest: 'sha256' })],
  ['PBKDF2 with SHA-512', () => pbkdf2.hash(password, { iterations: 1000, digest: 'sha512' })],
]

describe('imported password hashes', () => {
  it.each(hashes)('of %s sign in once, and are argon2id from then on', async (_name, hash) => {
    const user = userLine({ passwordHash: await hash() })
    expect(await bring(testApp, [user])).toEqual([
      { line: 1, about: user.email, result: 'imported', notes: [], id: user.id },
    ])
    expect((await signIn(user.email, 'another sentence')).status).toBe(401)
    const stored = () => testApp.db.account.findFirstOrThrow({ where: { userId: user.id, providerId: 'credential' } })
    expect((await stored()).password).toBe(user.passwordHash)
    const answer = await signIn(user.email)
    expect([answer.status, answer.body.user.id]).toEqual([200, user.id])
    expect((await stored()).password).toMatch(/^\$argon2id\$v=19\$m=64,t=1,/)
    expect((await signIn(user.email)).status).toBe(200)
  })

  it('of scrypt in PHC format match the test vector of RFC 7914', async () => {
    const key = Buffer.from(
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
      'hex',
    )
    const salt = Buffer.from('SodiumChloride').toString('base64').replace(/=+$/, '')
    const user = userLine({
      passwordHash: `$scrypt$ln=14,r=8,p=1$${salt}$${key.toString('base64').replace(/=+$/, '')}`,
    })
    await bring(testApp, [user])
    expect((await signIn(user.email, 'pleaseletmein')).status).toBe(200)
  })

  it('that are too costly or unknown are skipped and reported', async () => {
    const salt = 'AAAAAAAAAAAAAAAAAAAAAA'
    const costly = [
      `$argon2id$v=19$m=4194304,t=3,p=1$${salt}$${salt}`,
      `$argon2id$v=19$m=65536,t=99,p=1$${salt}$${salt}`,
      `$2b$20$${'a'.repeat(21)}e${'a'.repeat(31)}`,
      `$scrypt$ln=20,r=32,p=1$${salt}$${salt}`,
      `$fbscrypt$v=1,n=20,r=8,p=1,ss=Bw==,sk=${salt}$${salt}$${salt}`,
      `$pbkdf2-sha256$i=9999999$${salt}$${salt}`,
      `$argon2id$v=19$m=131072,t=8,p=1$${salt}$${salt}`,
      `$scrypt$ln=15,r=32,p=4$${salt}$${salt}`,
    ]
    const unknown = [
      '5f4dcc3b5aa765d61d8327deb882cf99',
      'plain text',
      '$1$abc$def',
      `$argon2id$v=16$m=8,t=1,p=1$${salt}$${salt}`,
      // The library rejects hashes that are not canonical without doing any work.
      `$argon2id$v=19$m=019456,t=2,p=1$${salt}$${salt}`,
      `$argon2id$v=19$m=19456,t=2,p=1$${salt.slice(0, -1)}B$${salt}`,
      `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${salt.slice(0, -1)}`,
    ]
    const lines = [...costly, ...unknown].map((passwordHash) => userLine({ passwordHash }))
    const outcomes = await bring(testApp, lines)
    const notes = outcomes.map((outcome) => outcome.notes.join())
    expect(notes.slice(0, costly.length).every((note) => note.includes('exceeds the limit'))).toBe(true)
    expect(notes.slice(costly.length).every((note) => note.includes('unknown password hash format'))).toBe(true)
    expect(outcomes.every(({ result }) => result === 'imported')).toBe(true)
    expect(await testApp.db.account.count({ where: { userId: { in: lines.map(({ id }) => id) } } })).toBe(0)
  })

  it('have decoys of the same cost: an unknown address always has the same one of the existing costs', async () => {
    const own = await createTestApp()
    const people = await Promise.all(hashes.map(async ([, hash]) => userLine({ passwordHash: await hash() })))
    await bring(own, people)
    const decoys = await own.db.passwordDecoy.findMany()
    expect(decoys.map(({ cost }) => cost).toSorted()).toEqual([
      'argon2 32 1 1 43',
      'argon2 4096 3 1 43',
      'bcrypt 06 31',
      'betterAuth 128',
      'firebase 14 8 1 87',
      'pbkdf2 sha256 1000 43',
      'pbkdf2 sha512 1000 86',
    ])
    // No decoy is the hash of a user.
    const stored = new Set(people.map(({ passwordHash }) => passwordHash))
    expect(decoys.filter(({ hash }) => stored.has(hash))).toEqual([])
    // A decoy is refused after the work, not because of its form, which a wrong end of the digest would cause for many.
    for (const { passwordHash } of people) {
      for (let n = 0; n < 20; n++) {
        const made = decoyOf(passwordHash)?.decoy ?? ''
        expect(hashProblem(made)).toBeUndefined()
        expect(await (made.startsWith('$argon2') ? verifyArgon2(made, password) : verifyImported(password, made))).toBe(
          false,
        )
      }
    }
    const decoyFor = (email: string) => findDecoy(own.app, email)
    const addresses = Array.from({ length: 60 }, (_, n) => `nobody${n}@example.test`)
    const usedBy = async () => {
      own.advanceClock(61)
      return Promise.all(addresses.map(decoyFor))
    }
    const first = await usedBy()
    expect(first.filter((hash) => !decoys.some((decoy) => decoy.hash === hash))).toEqual([])
    expect(new Set(first).size).toBeGreaterThan(3)
    expect(await usedBy()).toEqual(first)
    const leavers = [people[0], people[5]].filter((one) => one !== undefined)
    // Users of two costs have signed in, and another user has signed up: the addresses of those costs change to Foyer's
    // own cost, and no others.
    const gone = new Set(leavers.map(({ passwordHash }) => decoyOf(passwordHash)?.cost))
    for (const { email } of leavers)
      expect((await own.browser().post('/sign-in/email', { email, password })).status).toBe(200)
    await refreshDecoys(own.app)
    const costOf = (hash: string | undefined) => decoys.find((decoy) => decoy.hash === hash)?.cost
    const second = await usedBy()
    for (const [n, hash] of second.entries()) expect(hash).toBe(gone.has(costOf(first[n])) ? undefined : first[n])
    for (const { email } of people) await own.browser().post('/sign-in/email', { email, password })
    await sweep(own.app)
    expect(new Set(await usedBy())).toEqual(new Set([undefined]))
  })

  it('with a high cost do not delay the others', async () => {
    const real = await createTestApp({}, { hasher: createHasher({ concurrency: 2 }) })
    const person = await createUser(real)
    const costly = `$pbkdf2-sha512$i=400000$${'A'.repeat(22)}$${'A'.repeat(86)}`
    const slow = Array.from({ length: 8 }, () => real.app.hasher.verify('wrong', costly))
    const settled = Promise.allSettled(slow)
    let isSettled = false
    void settled.then(() => (isSettled = true))
    expect(
      (await real.browser().post('/sign-in/email', { email: person.email, password: person.password })).status,
    ).toBe(200)
    expect(isSettled).toBe(false)
    // A request that would wait for long is refused immediately.
    await Promise.any(slow)
    await expect(
      Promise.all(Array.from({ length: 100 }, () => real.app.hasher.verify('wrong', costly))),
    ).rejects.toMatchObject({ key: 'SERVICE_UNAVAILABLE' })
    await settled
  })
})

describe('an import of users', () => {
  it('keeps ids, dates, usernames and identities, and existing users', async () => {
    const user = userLine({
      name: 'Ada Lovelace',
      username: `Ada_${Date.now()}`,
      image: 'https://example.com/ada.png',
      language: 'de-AT',
      createdAt: '2019-05-06T07:08:09.000Z',
      identities: [{ provider: 'github', accountId: 4711 }],
      role: 'admin',
    })
    expect(await bring(testApp, [user])).toMatchObject([{ result: 'imported', notes: [] }])
    expect(
      await testApp.db.user.findUniqueOrThrow({ where: { id: user.id }, include: { accounts: true } }),
    ).toMatchObject({
      email: user.email,
      emailVerified: true,
      name: 'Ada Lovelace',
      username: user.username.toLowerCase(),
      displayUsername: user.username,
      language: 6,
      role: 'user',
      createdAt: new Date('2019-05-06T07:08:09.000Z'),
      accounts: [{ providerId: 'github', accountId: '4711' }],
    })
    expect(await testApp.db.event.count({ where: { type: 'user.imported', subjectId: user.id } })).toBe(1)
    const changed = { ...user, name: 'Somebody else', email: 'else@example.test' }
    expect(await bring(testApp, [user, changed])).toMatchObject([
      { result: 'existing', notes: [] },
      { result: 'skipped', notes: ['the id belongs to another user'] },
    ])
    expect((await testApp.db.user.findUniqueOrThrow({ where: { id: user.id } })).name).toBe('Ada Lovelace')
  })

  it('notes an existing user who has only entered the email address', async () => {
    const person = newUserData()
    await testApp.browser().post('/sign-up/email', person)
    const notes = ['another person has signed up with the email address and not verified it']
    expect(await bring(testApp, [{ ...userLine({ email: person.email }), id: undefined }])).toMatchObject([
      { result: 'existing', notes },
    ])
  })

  it('reports for each line what was skipped and why', async () => {
    const there = await createUser(testApp, { username: `held_${Date.now()}` })
    const username = (await testApp.db.user.findUniqueOrThrow({ where: { id: there.id } })).username
    const first = userLine({ identities: [{ provider: 'gitlab', accountId: 'g1' }] })
    const outcomes = await bring(testApp, [
      first,
      '',
      '{"email": ',
      '[]',
      userLine({ email: 'no address' }),
      userLine({ email: there.email }),
      userLine({ username }),
      userLine({ username: '!' }),
      userLine({
        identities: [
          { provider: 'myspace', accountId: 1 },
          { provider: 'gitlab', accountId: 'g1' },
        ],
      }),
      userLine({ image: 'http://example.com/a.png' }),
      { ...userLine(), email: first.email },
      userLine({ id: 'жук-17' }),
      userLine({ id: 'a;b' }),
      userLine({ id: `f:${Date.now()}:ada` }),
    ])
    expect(
      outcomes.toSorted((a, b) => a.line - b.line).map(({ line, result, notes }) => [line, result, ...notes]),
    ).toEqual([
      [1, 'imported'],
      [3, 'skipped', 'the line is not JSON'],
      [4, 'skipped', 'the line is not an object'],
      [5, 'skipped', 'not valid: email'],
      [6, 'skipped', 'the email address belongs to another user'],
      [7, 'imported', `the username ${username} is taken`],
      [8, 'imported', 'the username ! is not allowed'],
      [9, 'imported', 'myspace is not a known provider', 'the account at gitlab belongs to another user'],
      [10, 'imported', 'the picture is not an https URL'],
      [11, 'skipped', 'the email address belongs to another user'],
      [12, 'skipped', 'not valid: id'],
      [13, 'skipped', 'not valid: id'],
      [14, 'imported'],
    ])
  })

  it('stores nothing in a dry run, and reports the same', async () => {
    const own = await createTestApp()
    const users = [userLine(), userLine({ passwordHash: 'x' })]
    const [owner] = users
    const organization = {
      type: 'organization',
      name: 'Acme',
      slug: 'acme',
      members: [{ userId: owner?.id, role: 'owner' }],
    }
    const lines = [
      ...users,
      organization,
      { ...organization, slug: 'other', members: [{ userId: 'nobody', role: 'owner' }] },
    ]
    const dry = await bring(own, lines, true)
    expect([await own.db.user.count(), await own.db.organization.count(), await own.db.event.count()]).toEqual([
      0, 0, 0,
    ])
    expect(await bring(own, lines)).toEqual(dry)
    expect([await own.db.user.count(), await own.db.organization.count()]).toEqual([2, 1])
  })

  it('reports ids that exist already, or occur twice, in a dry run too', async () => {
    const own = await createTestApp()
    const users = [userLine(), userLine(), userLine()]
    const line = (slug: string, index: number, ids: { id?: string; team?: string; member?: string }) => ({
      type: 'organization',
      ...(ids.id && { id: ids.id }),
      name: slug,
      slug,
      teams: [{ name: 'One', ...(ids.team && { id: ids.team }) }],
      members: [{ userId: users[index]?.id, role: 'owner', ...(ids.member && { id: ids.member }) }],
    })
    const first = [...users, line('first', 0, { id: 'o1', team: 't1', member: 'm1' })]
    const rest = [
      line('second', 1, { team: 't1' }),
      line('third', 1, { member: 'm1' }),
      line('fourth', 1, { id: 'o1' }),
      line('fifth', 1, {}),
      line('sixth', 2, {}),
      {
        ...line('seventh', 2, {}),
        teams: [
          { id: 't2', name: 'One' },
          { id: 't2', name: 'Two' },
        ],
      },
    ]
    const expected = ['skipped', 'skipped', 'existing', 'imported', 'imported', 'skipped']
    const resultsOf = (outcomes: Outcome[]) => outcomes.slice(-6).map(({ result }) => result)
    const dry = await bring(own, [...first, ...rest], true)
    expect(resultsOf(dry)).toEqual(expected)
    await bring(own, first)
    expect(resultsOf(await bring(own, [...users, ...rest], true))).toEqual(expected)
    const real = await bring(own, [...first, ...rest])
    expect(resultsOf(real)).toEqual(expected)
    expect(real.find(({ about }) => about === 'third')?.notes).toEqual([
      'the id of a team or member belongs to another one',
    ])
  })

  it('ends with status 1 if something was skipped, so that a script notices', async () => {
    const own = await createTestApp()
    const folder = mkdtempSync(join(tmpdir(), 'import-'))
    const run = async (lines: object[]) => {
      const file = join(folder, 'people.ndjson')
      writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
      return runImportCommand(own.app, [file])
    }
    const [one, other] = [userLine(), userLine()]
    expect(await run([one])).toMatchObject({ status: 0 })
    const { status, lines } = await run([one, other, { email: 'no address' }])
    expect([status, lines.at(-1)]).toEqual([1, 'Imported 1, already existing 1, skipped 1.'])
    rmSync(folder, { recursive: true })
  })

  it('continues after an interruption, also concurrently with sign-ups and a second import', async () => {
    const own = await createTestApp()
    const lines = Array.from({ length: 900 }, () => userLine())
    const [one, two] = await Promise.all([bring(own, lines), bring(own, lines.toReversed()), createUser(own)])
    expect(await own.db.user.count()).toBe(901)
    const imported = [...one, ...two].filter(({ result }) => result === 'imported')
    expect(imported.length).toBe(900)
    expect((await bring(own, lines)).every(({ result }) => result === 'existing')).toBe(true)
  })

  it('continues after its process was killed, with each user once', async () => {
    const own = await createTestApp()
    const file = join(folder, 'users.ndjson')
    const lines = Array.from({ length: 3_000 }, () => userLine())
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    const settings = { DATABASE_URL: own.databaseUrl, AUTH_SECRET: 'a secret that is long enough for a test run' }
    const first = start(settings, { args: ['import', file] })
    // Some transactions are committed, one is open, and the rest is not read yet.
    await until(async () => (await own.db.user.count()) > 0)
    first.child.kill('SIGKILL')
    await first.ended
    const stored = await own.db.user.count()
    expect(stored % 250).toBe(0)
    expect(stored).toBeLessThan(3_000)
    const second = start(settings, { args: ['import', file] })
    expect(await second.ended).toBe(0)
    expect(second.output()).toMatch(/Imported \d+, already existing \d+, skipped 0\./)
    const ids = await own.db.user.findMany({ select: { id: true } })
    expect(ids.map(({ id }) => id).toSorted()).toEqual(lines.map(({ id }) => id).toSorted())
  })
})

describe('an import with values that others may have', () => {
  it('gives an organization to no one who has merely entered an address, or has the same id by chance', async () => {
    const squatter = await createUnverifiedUser(testApp)
    const there = await createUser(testApp)
    const organization = (slug: string, member: object) => ({
      type: 'organization',
      name: 'Acme',
      slug,
      members: [{ ...member, role: 'owner' }],
    })
    const tag = Date.now()
    const outcomes = await bring(testApp, [
      organization(`a-${tag}`, { email: squatter.email }),
      { ...userLine(), id: there.id },
      organization(`b-${tag}`, { userId: there.id }),
      organization(`c-${tag}`, { email: there.email }),
    ])
    expect(outcomes.map(({ result }) => result)).toEqual(['skipped', 'skipped', 'skipped', 'imported'])
  })

  it('gives it to no address imported as unverified, where a sign-up needs no verification', async () => {
    const open = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const [typed, proven] = [userLine({ emailVerified: false }), userLine()]
    const organization = (slug: string, { email }: { email: string }) => ({
      type: 'organization',
      name: 'Acme',
      slug: `${slug}-${Date.now()}`,
      members: [{ email, role: 'owner' }],
    })
    // If the user is in the same file, the operator vouches for the email address.
    const first = await bring(open, [typed, proven, organization('one', typed)])
    expect(first.map(({ result }) => result)).toEqual(['imported', 'imported', 'imported'])
    const later = await bring(open, [organization('two', typed), organization('three', proven)])
    expect(later.map(({ result }) => result)).toEqual(['skipped', 'imported'])
  })

  it('gives it to no one who has entered an address after an import, or has the same id in another system', async () => {
    const organization = (slug: string, member: object) => ({
      type: 'organization',
      name: 'Acme',
      slug: `${slug}-${tag}`,
      members: [{ ...member, role: 'owner' }],
    })
    const tag = Date.now()
    const mover = userLine({ passwordHash: await bcrypt.hash(password, 8) })
    await bring(testApp, [mover])
    const victim = `victim.${tag}@example.test`
    // As if the former mailbox had confirmed a change of email address.
    await testApp.db.user.update({
      where: { id: mover.id },
      data: { email: victim, emailVerified: false, previousEmail: mover.email },
    })
    const outcomes = await bring(testApp, [
      organization('a', { email: victim }),
      { id: mover.id, email: 'josé@example.test' },
      organization('b', { userId: mover.id }),
      { ...userLine(), id: mover.id },
      organization('c', { userId: mover.id }),
      organization('d', { email: mover.email }),
    ])
    expect(outcomes.map(({ result }) => result)).toEqual([
      'skipped',
      'skipped',
      'skipped',
      'skipped',
      'skipped',
      'imported',
    ])
    // The user's own line again, even after the change of email address.
    const again = await bring(testApp, [mover, organization('e', { userId: mover.id })])
    expect(again.map(({ result }) => result)).toEqual(['existing', 'imported'])
    const alone = await bring(testApp, [organization('f', { userId: mover.id })])
    expect(alone.map(({ result }) => result)).toEqual(['imported'])
  })

  it('keeps an account and its organizations when the owner of an unverified address opens the link elsewhere', async () => {
    const tag = Date.now()
    const line = userLine({ emailVerified: false, passwordHash: await bcrypt.hash(password, 8) })
    const other = userLine()
    const members = [
      { userId: line.id, role: 'owner' },
      { userId: other.id, role: 'member' },
    ]
    await bring(testApp, [line, other, { type: 'organization', name: 'Shared', slug: `shared-${tag}`, members }])
    expect((await signIn(line.email)).status).toBe(403)
    const token = new URL(await emailedLink(testApp, line.email, 'verifyEmail')).searchParams.get('token')
    const elsewhere = testApp.browser()
    const foreign = await testApp.browser().post('/verify-email/reject', { token })
    expect(foreign.status).toBe(200)
    const claimed = await elsewhere.post('/verify-email/claim', {
      token,
      name: 'Grace',
      password: 'the new sentence of the owner',
    })
    expect(claimed.status).toBe(200)
    expect((await elsewhere.get('/get-session')).body.user).toMatchObject({
      id: line.id,
      name: 'Grace',
      emailVerified: true,
    })
    expect((await signIn(line.email)).status).toBe(401)
    const found = await testApp.db.member.findMany({
      where: { organization: { slug: `shared-${tag}` } },
      orderBy: { role: 'asc' },
    })
    expect(found.map(({ userId, role }) => [userId, role])).toEqual([
      [other.id, 'member'],
      [line.id, 'owner'],
    ])
  })

  it('accepts ids of providers as written, but rejects numbers beyond safe-integer precision', async () => {
    const lines = ['113456789012345678901', '80351110224678912', '-1', '1.5']
      .map(Number)
      .map((accountId) => userLine({ identities: [{ provider: 'google', accountId }] }))
    const good = userLine({
      identities: [
        { provider: 'google', accountId: `4${Date.now()}` },
        { provider: 'github', accountId: Date.now() },
      ],
    })
    const outcomes = await bring(testApp, [...lines, good])
    expect(outcomes.map(({ notes }) => notes.length)).toEqual([1, 1, 1, 1, 0])
    expect(await testApp.db.account.count({ where: { userId: { in: lines.map(({ id }) => id) } } })).toBe(0)
    expect(await testApp.db.account.count({ where: { userId: good.id } })).toBe(2)
  })

  it('reads lines separated by line feeds only, and reports invalid text', async () => {
    const line = userLine({ metadata: { text: 'one\u2028two\u0085three' } })
    const outcomes: Outcome[] = []
    const ctx: App & EventOrigin = {
      ...testApp.app,
      now: testApp.app.clock(),
      ipAddress: '',
      userAgent: '',
      requestId: '',
    }
    const bytes = Buffer.concat([
      Buffer.from(`${JSON.stringify(line)}\r\n{"email":{"toString":1}}\n{"email":"`),
      Buffer.from([0xe9]),
      Buffer.from('"}'),
    ])
    // In pieces with arbitrary boundaries.
    const pieces = Array.from({ length: bytes.length }, (_, n) => bytes.subarray(n, n + 1))
    await importLines(ctx, Readable.from(pieces), { dryRun: false, onOutcomes: (some) => void outcomes.push(...some) })
    expect(outcomes.map(({ line: number, result }) => [number, result]).toSorted()).toEqual([
      [1, 'imported'],
      [2, 'skipped'],
      [3, 'skipped'],
    ])
    expect((await testApp.db.user.findUnique({ where: { id: line.id } }))?.metadata).toEqual(line.metadata)
    const own = await createTestApp()
    await bring(own, [line])
    expect((await exportOf(own))[0]).toContain(String.raw`one\u2028two`)
  })

  it('makes no user an administrator', async () => {
    const own = await createTestApp({ ADMIN_EMAILS: 'boss@example.test' })
    await bring(own, [userLine({ email: 'boss@example.test', passwordHash: await bcrypt.hash(password, 4) })])
    expect((await own.browser().post('/sign-in/email', { email: 'boss@example.test', password })).status).toBe(200)
    expect((await own.db.user.findFirstOrThrow({ where: { email: 'boss@example.test' } })).role).toBe('user')
  })

  it('reports the line that the database refuses, and imports the others', async () => {
    const [one, two] = [userLine(), userLine()]
    const organization = {
      type: 'organization',
      name: 'Acme',
      members: [{ userId: one.id, role: 'owner' }],
      teams: [{ id: `t${one.id}`, name: 'A' }],
    }
    const outcomes = await bring(testApp, [
      one,
      userLine({ username: 'nul\0' }),
      '{"email":"x@example.test","name":"\\ud800"}',
      userLine({ createdAt: '+200000-01-01T00:00:00Z' }),
      two,
      { ...organization, slug: `one-${one.id}` },
      { ...organization, slug: `two-${one.id}` },
    ])
    expect(outcomes.toSorted((a, b) => a.line - b.line).map(({ result, notes }) => [result, ...notes])).toEqual([
      ['imported'],
      ['skipped', 'it contains NUL characters or unpaired surrogates'],
      ['skipped', 'it contains NUL characters or unpaired surrogates'],
      ['skipped', 'not valid: createdAt'],
      ['imported'],
      ['imported'],
      ['skipped', 'the id of a team or member belongs to another one'],
    ])
  })

  it('imports an organization with many members', async () => {
    const own = await createTestApp()
    const users = Array.from({ length: 12_000 }, () => userLine())
    const members = users.map(({ id }, n) => ({ userId: id, role: n === 0 ? 'owner' : 'member' }))
    const outcomes = await bring(own, [...users, { type: 'organization', name: 'Large', slug: 'large', members }])
    expect(outcomes.at(-1)).toMatchObject({ result: 'imported', notes: [] })
    expect(await own.db.member.count()).toBe(12_000)
  })

  it('exports the verified address while another one is pending, and concurrent first sign-ins both succeed', async () => {
    const from = await createTestApp()
    const person = await createUser(from)
    await from.db.user.update({
      where: { id: person.id },
      data: { email: 'typo@example.test', emailVerified: false, previousEmail: person.email },
    })
    const [line = ''] = await exportOf(from)
    expect(JSON.parse(line)).toMatchObject({ email: person.email, emailVerified: true })
    const user = userLine({ passwordHash: await bcrypt.hash(password, 8) })
    await bring(testApp, [user])
    const answers = await Promise.all([signIn(user.email), signIn(user.email), signIn(user.email)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

describe('an import of organizations', () => {
  it('creates teams, members and roles, and needs an owner', async () => {
    const [boss, worker] = [userLine(), userLine()]
    const slug = `moved-${Date.now()}`
    const organization = {
      type: 'organization',
      id: randomUUID(),
      name: 'Moved',
      slug,
      metadata: { plan: 'gold' },
      createdAt: '2020-01-02T03:04:05.000Z',
      teams: [{ name: 'Blue' }, { name: 'Red' }],
      members: [
        { userId: boss.id, role: 'owner', team: 'Red' },
        { email: worker.email, role: ['member', 'admin'] },
        { userId: 'nobody', role: 'member' },
        { userId: boss.id, role: 'admin' },
        { email: worker.email, role: 'king' },
      ],
    }
    const outcomes = await bring(testApp, [
      boss,
      worker,
      organization,
      { ...organization, id: undefined },
      { ...organization, id: randomUUID() },
      { type: 'organization', name: 'None', slug: `${slug}-2`, members: [{ userId: boss.id, role: 'admin' }] },
    ])
    expect(outcomes.slice(2)).toEqual([
      {
        line: 3,
        about: slug,
        result: 'imported',
        notes: [
          'the member nobody does not exist here',
          `the member ${boss.id} is listed twice`,
          `the member ${worker.email} has no known role`,
        ],
      },
      { line: 4, about: slug, result: 'existing', notes: [] },
      { line: 5, about: slug, result: 'skipped', notes: ['the slug belongs to another organization'] },
      { line: 6, about: `${slug}-2`, result: 'skipped', notes: ['none of its members is an owner'] },
    ])
    const user = { email: boss.email, password }
    await testApp.db.account.create({
      data: {
        id: randomUUID(),
        userId: boss.id,
        accountId: boss.id,
        providerId: 'credential',
        password: await testApp.app.hasher.hash(password),
        createdAt: new Date(),
        updatedAt: new Date(),
      },
    })
    const browser = testApp.browser()
    await browser.post('/sign-in/email', user)
    const full = await browser.get(`/organization/get-full-organization?organizationSlug=${slug}`)
    expect(full.body).toMatchObject({ id: organization.id, name: 'Moved', createdAt: '2020-01-02T03:04:05.000Z' })
    expect(full.body.members.map(({ role }: { role: string }) => role).toSorted()).toEqual(['member,admin', 'owner'])
  })
})

describe('an export', () => {
  it('can be imported with the same result', async () => {
    const from = await createTestApp()
    const owner = await createOrganizationOwner(from, { metadata: { plan: 'gold' } })
    const member = await createMember(from, owner)
    await owner.browser.post('/organization/create-team', { name: 'Blue', organizationId: owner.organization.id })
    await from.db.user.update({ where: { id: member.id }, data: { bannedAt: new Date(), banReason: 'spam' } })
    const secondFactorFrom = new Date('2026-01-02T03:04:05.678Z')
    await from.db.organization.update({
      where: { id: owner.organization.id },
      data: { membershipLimit: 7, secondFactorFrom },
    })
    const lines = await exportOf(from)
    expect(lines.length).toBe(3)
    const into = await createTestApp()
    expect((await bring(into, lines)).every(({ result, notes }) => result === 'imported' && notes.length === 0)).toBe(
      true,
    )
    expect(await exportOf(into)).toEqual(lines)
    expect(await into.db.organization.findFirst()).toMatchObject({ membershipLimit: 7, secondFactorFrom })
    const browser = into.browser()
    expect((await browser.post('/sign-in/email', { email: owner.email, password: owner.password })).status).toBe(200)
    const banned = await into.browser().post('/sign-in/email', { email: member.email, password: member.password })
    expect(banned.body.code).toBe('BANNED_USER')
  })
})
