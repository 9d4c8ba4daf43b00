import { passkeyClient } from 'better-auth/client/plugins'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { createAuthenticator } from '../testing/authenticator.ts'
import { clientWith } from '../testing/better-auth.ts'
import type { Browser } from '../testing/browser.ts'
import { emailedLink, createTestApp, type TestApp } from '../testing/test-app.ts'
import {
  createAdministrator,
  password,
  type TestUser,
  createUser,
  createUnverifiedUser,
} from '../testing/test-users.ts'
import { createTwoFactorUser } from '../testing/two-factor.ts'

const testApp = await createTestApp()
type Authenticator = ReturnType<typeof createAuthenticator>
type Lies = Parameters<Authenticator['get']>[1]

async function add({ browser }: Pick<TestUser, 'browser'>, authenticator: Authenticator, lies?: Lies, name = 'Phone') {
  const options = (await browser.get('/passkey/generate-register-options')).body
  return browser.post('/passkey/verify-registration', { response: authenticator.create(options, lies), name })
}

async function use(browser: Browser, authenticator: Authenticator, lies?: Lies) {
  const options = (await browser.post('/passkey/generate-authenticate-options')).body
  return browser.post('/passkey/verify-authentication', { response: authenticator.get(options, lies) })
}

async function holder(at: TestApp = testApp) {
  const person = await createUser(at)
  const authenticator = createAuthenticator(at.origin)
  const added = await add(person, authenticator)
  expect(added.status).toBe(200)
  return { ...person, authenticator, passkey: added.body }
}

describe('a passkey', () => {
  it('only re-authenticates its own user', async () => {
    const [person, other] = [await holder(), await holder()]
    const browser = testApp.browser()
    const options = (await browser.post('/passkey/generate-authenticate-options')).body
    const response = other.authenticator.get(options)
    const refused = await browser.post('/passkey/verify-authentication', { response, userId: person.id })
    expect([refused.status, refused.body.code]).toEqual([401, 'PASSKEY_NOT_FOUND'])
    expect((await browser.get('/get-session')).body).toBeNull()
  })

  it('is added in a fresh session, listed, renamed and removed', async () => {
    const person = await createUser(testApp)
    const options = (await person.browser.get('/passkey/generate-register-options?authenticatorAttachment=platform'))
      .body
    expect(options).toMatchObject({
      rp: { name: 'Foyer', id: new URL(testApp.origin).hostname },
      user: { name: person.email },
      attestation: 'none',
      authenticatorSelection: { userVerification: 'required', authenticatorAttachment: 'platform' },
    })
    expect(Buffer.from(options.user.id, 'base64url').toString()).not.toContain(person.id)
    const authenticator = createAuthenticator(testApp.origin)
    const { body } = await add(person, authenticator)
    expect(body).toMatchObject({
      name: 'Phone',
      userId: person.id,
      credentialID: authenticator.id,
      counter: 1,
      deviceType: 'singleDevice',
      transports: 'internal',
    })
    expect((await person.browser.get('/passkey/list-user-passkeys')).body).toEqual([body])
    const again = (await person.browser.get('/passkey/generate-register-options')).body
    expect(again.excludeCredentials).toMatchObject([{ id: authenticator.id }])
    const renamed = await person.browser.post('/passkey/update-passkey', { id: body.id, name: 'Laptop' })
    expect(renamed.body.passkey).toMatchObject({ id: body.id, name: 'Laptop' })
    const stranger = await createUser(testApp)
    for (const [path, input] of [
      ['update-passkey', { id: body.id, name: 'Mine' }],
      ['delete-passkey', { id: body.id }],
    ] as const)
      expect((await stranger.browser.post(`/passkey/${path}`, input)).body.code).toBe('PASSKEY_NOT_FOUND')
    const deleted = await person.browser.post('/passkey/delete-passkey', { id: body.id })
    expect([deleted.status, deleted.body]).toEqual([200, null])
    expect((await use(testApp.browser(), authenticator)).body).toEqual({
      code: 'PASSKEY_NOT_FOUND',
      message: 'Passkey not found',
    })
    const kinds = (await testApp.mails(person.email)).map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['passkeyAdded', 'passkeyRemoved']))
    await testApp.db.session.updateMany({
      where: { userId: person.id },
      data: { createdAt: new Date(Date.now() - 90_000_000) },
    })
    expect((await person.browser.get('/passkey/generate-register-options')).body.code).toBe('SESSION_IS_NOT_FRESH')
    expect((await person.browser.post('/passkey/delete-passkey', { id: 'x' })).body.code).toBe('SESSION_IS_NOT_FRESH')
    expect((await testApp.browser().get('/passkey/list-user-passkeys')).status).toBe(401)
  })

  it('signs in without a user name, as two factors in one', async () => {
    const { id, email, authenticator } = await holder()
    const browser = testApp.browser()
    const options = (await browser.post('/passkey/generate-authenticate-options', { email })).body
    // The response reveals to no one which users have a passkey.
    expect(options.allowCredentials ?? []).toEqual([])
    const { status, body } = await use(browser, authenticator)
    expect([status, body.session.userId, body.user.id]).toEqual([200, id, id])
    expect((await browser.get('/get-session')).body.user.id).toBe(id)
    expect(decodeJwt((await browser.get('/token')).body.token)['amr']).toEqual(['pop', 'user', 'mfa'])
    const row = await testApp.db.passkey.findUnique({ where: { credentialID: authenticator.id } })
    expect([row?.counter, row?.lastUsedAt]).toEqual([2n, expect.any(Date)])
  })

  it('completes the second step of a sign-in, and needs none itself', async () => {
    const person = await createTwoFactorUser(testApp)
    const authenticator = createAuthenticator(testApp.origin)
    await add(person, authenticator)
    const browser = testApp.browser()
    await browser.post('/sign-in/email', { email: person.email, password })
    expect(await browser.trpc.twoFactor.pending.query()).toMatchObject({ hasPasskeys: true })
    const options = (await browser.post('/passkey/generate-authenticate-options')).body
    expect(options.allowCredentials).toMatchObject([{ id: authenticator.id }])
    expect((await use(browser, authenticator)).status).toBe(200)
    expect((await use(testApp.browser(), authenticator)).status).toBe(200)
  })

  it('makes the session of its user fresh', async () => {
    const { browser, authenticator, id } = await holder()
    await testApp.db.session.updateMany({
      where: { userId: id },
      data: { createdAt: new Date(Date.now() - 90_000_000) },
    })
    expect((await browser.get('/passkey/generate-register-options')).status).toBe(403)
    expect((await use(browser, authenticator)).status).toBe(200)
    expect((await browser.get('/passkey/generate-register-options')).status).toBe(200)
    expect((await browser.get('/list-sessions')).body.length).toBe(1)
  })

  it.each<[string, Lies]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another site', { rpId: 'evil.example' }],
    ['another challenge', { challenge: Buffer.from('x'.repeat(32)).toString('base64url') }],
    ['another kind of answer', { type: 'webauthn.create' }],
    ['nobody who unlocked it', { userVerified: false }],
    ['another key', { isForged: true }],
  ])('is refused from %s', async (_, lies) => {
    const { authenticator } = await holder()
    const refused = await use(testApp.browser(), authenticator, lies)
    expect([refused.status, refused.body.code]).toEqual([400, 'AUTHENTICATION_FAILED'])
    if (lies?.isForged || lies?.type) return
    const person = await createUser(testApp)
    const added = await add(person, createAuthenticator(testApp.origin), lies)
    expect([added.status, added.body.code]).toEqual([400, 'FAILED_TO_VERIFY_REGISTRATION'])
  })

  it('is refused when its counter goes back, which its owner can see', async () => {
    const { authenticator, id } = await holder()
    expect((await use(testApp.browser(), authenticator, { counter: 10 })).status).toBe(200)
    for (const counter of [10, 9, 0])
      expect((await use(testApp.browser(), authenticator, { counter })).body.code).toBe('AUTHENTICATION_FAILED')
    expect((await use(testApp.browser(), authenticator, { counter: 11 })).status).toBe(200)
    const events = await testApp.db.event.count({ where: { subjectId: id, type: 'user.passkey_refused' } })
    expect(events).toBe(3)
    // Authenticators that do not count signatures.
    const person = await createUser(testApp)
    const synced = createAuthenticator(testApp.origin)
    expect((await add(person, synced, { counter: 0 })).status).toBe(200)
    for (let n = 0; n < 2; n++) expect((await use(testApp.browser(), synced, { counter: 0 })).status).toBe(200)
  })

  it('answers a challenge once, in the browser that requested it, within five minutes', async () => {
    const { authenticator, browser: own } = await holder()
    const browser = testApp.browser()
    const challenge = async () => (await browser.post('/passkey/generate-authenticate-options')).body
    const verify = (at: Browser, response: object) => at.post('/passkey/verify-authentication', { response })
    const response = authenticator.get(await challenge())
    expect((await verify(testApp.browser(), response)).body.code).toBe('CHALLENGE_NOT_FOUND')
    const copies = Array.from({ length: 10 }, () => browser.copy())
    const answers = await Promise.all(copies.map((copy) => verify(copy, response)))
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    const late = authenticator.get(await challenge())
    testApp.advanceClock(301)
    expect((await verify(browser, late)).body.code).toBe('CHALLENGE_NOT_FOUND')
    expect(
      (await own.post('/passkey/verify-registration', { response: authenticator.create({ challenge: 'x' }) })).body
        .code,
    ).toBe('CHALLENGE_NOT_FOUND')
    // A challenge of one user does not add a passkey to another.
    const person = await createUser(testApp)
    const options = (await person.browser.get('/passkey/generate-register-options')).body
    const other = await createUser(testApp)
    const held = person.browser.jar.get('foyer.passkey')
    other.browser.jar.set('foyer.passkey', held ?? '')
    const foreign = await other.browser.post('/passkey/verify-registration', {
      response: createAuthenticator(testApp.origin).create(options),
    })
    expect([foreign.status, foreign.body.code]).toEqual([401, 'YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY'])
  })

  it('cannot be added twice, and a user has at most twenty', async () => {
    const { authenticator, ...person } = await holder()
    expect((await add(person, authenticator)).body.code).toBe('FAILED_TO_VERIFY_REGISTRATION')
    expect((await add(await createUser(testApp), authenticator)).body.code).toBe('FAILED_TO_VERIFY_REGISTRATION')
    for (let n = 1; n < 20; n++) expect((await add(person, createAuthenticator(testApp.origin))).status).toBe(200)
    expect((await add(person, createAuthenticator(testApp.origin))).body.code).toBe('PASSKEY_LIMIT_REACHED')
  })

  it('refuses malformed responses', async () => {
    const { browser } = await holder()
    for (const response of [
      null,
      [],
      {},
      { id: 'x' },
      {
        id: 'x',
        rawId: 'x',
        type: 'public-key',
        response: { clientDataJSON: '!', authenticatorData: '', signature: 'x' },
      },
    ]) {
      await browser.post('/passkey/generate-authenticate-options')
      const { status } = await browser.post('/passkey/verify-authentication', { response })
      expect([400, 401]).toContain(status)
    }
    await browser.get('/passkey/generate-register-options')
    const response = {
      id: 'x',
      rawId: 'x',
      type: 'public-key',
      response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
    }
    expect((await browser.post('/passkey/verify-registration', { response })).body.code).toBe(
      'FAILED_TO_VERIFY_REGISTRATION',
    )
  })

  it('does not sign in banned users, nor administrators who act as its user', async () => {
    const { id, authenticator } = await holder()
    const admin = await createAdministrator(testApp)
    await admin.browser.post('/admin/impersonate-user', { userId: id })
    expect((await admin.browser.get('/passkey/generate-register-options')).body.code).toBe('NOT_WHILE_IMPERSONATING')
    expect((await use(admin.browser, authenticator)).body.code).toBe('NOT_WHILE_IMPERSONATING')
    await testApp.db.user.update({ where: { id }, data: { bannedAt: testApp.app.clock() } })
    expect((await use(testApp.browser(), authenticator)).body.code).toBe('BANNED_USER')
    await testApp.db.user.update({ where: { id }, data: { bannedAt: null, emailVerified: false } })
    expect((await use(testApp.browser(), authenticator)).body.code).toBe('EMAIL_NOT_VERIFIED')
  })

  it('stays after a password reset, unless it was added before the address was verified', async () => {
    const own = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const reset = async (email: string) => {
      await own.browser().post('/forget-password', { email })
      const token = new URL(await emailedLink(own, email, 'resetPassword')).pathname.split('/').at(-1)
      await own.browser().post('/reset-password', { token, newPassword: 'the sentence of the owner' })
    }
    const squatter = await createUnverifiedUser(own)
    const foreign = createAuthenticator(own.origin)
    expect((await add(squatter, foreign)).status).toBe(200)
    await reset(squatter.email)
    expect((await use(own.browser(), foreign)).status).toBe(401)
    // The owner of the mailbox may have added the factor, and is notified.
    const removed = (await own.mails(squatter.email)).filter(({ kind }) => kind === 'unverifiedFactorsRemoved')
    expect(removed).toHaveLength(1)
    expect(removed[0]?.text).toContain(`${own.origin}/settings/security`)
    const event = { type: 'user.passkey_removed', subjectId: squatter.id, actorId: null }
    expect(await own.db.event.count({ where: event })).toBe(1)
    const { email, authenticator } = await holder()
    await testApp.browser().post('/forget-password', { email })
    const token = new URL(await emailedLink(testApp, email, 'resetPassword')).pathname.split('/').at(-1)
    await testApp.browser().post('/reset-password', { token, newPassword: 'the sentence of the owner' })
    expect((await use(testApp.browser(), authenticator)).status).toBe(200)
  })
})

describe('the client of better-auth 1.2.7', () => {
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url')).buffer
  const challengeOf = (options: { publicKey: { challenge: ArrayBuffer } }) => ({
    challenge: Buffer.from(options.publicKey.challenge).toString('base64url'),
  })
  const shared = { type: 'public-key', authenticatorAttachment: 'platform', getClientExtensionResults: () => ({}) }

  /** A browser's `navigator.credentials` with the software authenticator. */
  function withAuthenticator(authenticator: Authenticator): () => void {
    const former = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
    const credentials = {
      async create(options: { publicKey: { challenge: ArrayBuffer } }) {
        const { id, response } = authenticator.create(challengeOf(options))
        const { attestationObject, clientDataJSON, transports } = response
        const buffers = { attestationObject: bytes(attestationObject), clientDataJSON: bytes(clientDataJSON) }
        return { ...shared, id, rawId: bytes(id), response: { ...buffers, getTransports: () => transports } }
      },
      async get(options: { publicKey: { challenge: ArrayBuffer } }) {
        const { id, response } = authenticator.get(challengeOf(options))
        const buffers = Object.fromEntries(Object.entries(response).map(([name, text]) => [name, bytes(text)]))
        return { ...shared, id, rawId: bytes(id), response: buffers }
      },
    }
    Object.defineProperty(globalThis, 'navigator', { value: { credentials }, configurable: true })
    Object.assign(globalThis, { PublicKeyCredential: () => undefined })
    return () => {
      Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
      if (former) Object.defineProperty(globalThis, 'navigator', former)
      else Reflect.deleteProperty(globalThis, 'navigator')
    }
  }

  it('adds a passkey, signs in with it, lists, renames and deletes it', async () => {
    const person = await createUser(testApp)
    const restore = withAuthenticator(createAuthenticator(testApp.origin))
    try {
      const client = clientWith(passkeyClient(), person, testApp)
      const added = await client.passkey.addPasskey({ name: 'Laptop' })
      expect(added?.error ?? null).toBeNull()
      expect((await person.browser.get('/passkey/list-user-passkeys')).body).toMatchObject([{ name: 'Laptop' }])
      const stranger = { browser: testApp.browser() }
      const elsewhere = clientWith(passkeyClient(), stranger, testApp)
      const signed = await elsewhere.signIn.passkey()
      expect(signed?.error ?? null).toBeNull()
      expect((await stranger.browser.get('/get-session')).body.user.id).toBe(person.id)
      const [{ id }] = (await person.browser.get('/passkey/list-user-passkeys')).body
      expect((await client.passkey.updatePasskey({ id, name: 'Desk' })).data.passkey.name).toBe('Desk')
      expect((await client.passkey.deletePasskey({ id })).error).toBeNull()
      expect((await elsewhere.signIn.passkey())?.error).toMatchObject({ status: 401 })
    } finally {
      restore()
    }
  })
})
