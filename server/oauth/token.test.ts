import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { createOrganizationOwner, createMember } from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createUser, signInElsewhere } from '../testing/test-users.ts'

const audience = 'https://api.example.com'
const testApp = await createTestApp({ TOKEN_AUDIENCES: `${audience}, urn:billing` })

/** Verifies a token as a back end does, with the published key set. */
async function verified(token: string, wanted = testApp.origin) {
  const keys = createRemoteJWKSet(new URL(`${testApp.origin}/api/auth/jwks`))
  return jwtVerify(token, keys, { issuer: testApp.origin, audience: wanted, algorithms: ['ES256'] })
}

describe('tokens for back ends', () => {
  it('identify the user, the organization and the role', async () => {
    const owner = await createOrganizationOwner(testApp)
    const { body } = await owner.browser.get('/token')
    const { payload, protectedHeader } = await verified(body.token)
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'JWT' })
    const { session, user } = (await owner.browser.get('/get-session')).body
    expect(payload).toEqual({
      iss: testApp.origin,
      aud: testApp.origin,
      sub: owner.id,
      sid: session.id,
      email: owner.email,
      email_verified: true,
      name: user.name,
      picture: null,
      locale: 'en',
      org: { id: owner.organization.id, slug: owner.organization.slug, role: 'owner', teams: [owner.teamId] },
      entitlements: [],
      metadata: {},
      amr: ['otp'],
      acr: 'aal1',
      auth_time: Math.floor(Date.parse(session.createdAt) / 1000),
      iat: expect.any(Number),
      exp: expect.any(Number),
      jti: expect.any(String),
    })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(300)
    expect(body.token).not.toContain(owner.browser.jar.get('foyer.session_token'))
    const elsewhere = await signInElsewhere(testApp, owner)
    const other = await verified((await elsewhere.get('/token')).body.token)
    expect(other.payload['sid']).not.toBe(session.id)
    expect(other.payload['amr']).toEqual(['pwd'])
  })

  it('contain no organization that the user has left', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    await owner.browser.post('/organization/remove-member', { memberIdOrEmail: member.email })
    const { payload } = await verified((await member.browser.get('/token')).body.token)
    expect(payload).not.toHaveProperty('org')
  })

  it('are issued only for known audiences, and only to signed-in users', async () => {
    const person = await createUser(testApp)
    for (const wanted of [audience, 'urn:billing']) {
      const { body } = await person.browser.get(`/token?audience=${encodeURIComponent(wanted)}`)
      expect((await verified(body.token, wanted)).payload.aud).toBe(wanted)
    }
    for (const query of ['audience=', 'audience=https://evil.example', 'audience=urn:billing&audience=urn:billing']) {
      expect(await person.browser.get(`/token?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_AUDIENCE', message: 'Invalid audience' },
      })
    }
    const refused = await testApp.browser().get('/token?audience=')
    expect([refused.status, refused.body.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    // The session was ended elsewhere; its copy in the cookie cache does not help.
    const stolen = person.browser.copy()
    await person.browser.post('/sign-out')
    expect((await stolen.get('/token')).status).toBe(401)
  })

  it('are not credentials for Foyer itself', async () => {
    const person = await createUser(testApp)
    const { token } = (await person.browser.get('/token')).body
    const refused = await testApp.browser().get('/list-sessions', { authorization: `Bearer ${token}` })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  })
})

describe('the key set', () => {
  it('is public and cacheable, and contains no private part', async () => {
    const browser = testApp.browser()
    const first = await browser.get('/jwks', { origin: 'https://anywhere.example' })
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    expect(first.cookies).toEqual([])
    expect(first.body.keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        alg: 'ES256',
        use: 'sig',
      },
    ])
    const again = await browser.get('/jwks', { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it('announces the next key a day before it signs, and keeps the former one for a week', async () => {
    const own = await createTestApp({ SESSION_LIFETIME: '31536000', SESSION_ABSOLUTE_LIFETIME: '0' })
    const person = await createUser(own)
    const kids = async () => (await own.browser().get('/jwks')).body.keys.map(({ kid }: { kid: string }) => kid)
    const kidOfToken = async () => decodeProtectedHeader((await person.browser.get('/token')).body.token).kid
    const [first] = await kids()
    const rotate = () => own.app.signingKeys.rotate(own.app.clock())
    own.advanceClock(89 * 86_400)
    await rotate()
    expect(await kids()).toEqual([first])
    own.advanceClock(86_400)
    await Promise.all([rotate(), rotate(), rotate()])
    const [, second, ...more] = await kids()
    expect([second === undefined, more]).toEqual([false, []])
    expect(await kidOfToken()).toBe(first)
    own.advanceClock(86_400 + 60)
    expect(await kidOfToken()).toBe(second)
    await rotate()
    expect(await kids()).toEqual([first, second])
    own.advanceClock(7 * 86_400)
    await rotate()
    expect(await kids()).toEqual([second])
  })

  it('has one key, even if several processes create the first one concurrently, and stores it encrypted', async () => {
    const own = await createTestApp()
    const { createSigningKeys } = await import('../token/signing-keys.ts')
    const sets = await Promise.all(
      Array.from({ length: 8 }, () => createSigningKeys(own.db, own.app.keys.storage).publicSet(own.app.clock())),
    )
    expect(new Set(sets.map((set) => JSON.stringify(set))).size).toBe(1)
    const [row] = await own.db.signingKey.findMany()
    expect(row?.privateKey).toMatch(/^1\./)
    expect(JSON.stringify(row?.publicKey)).not.toContain('"d"')
  })
})
