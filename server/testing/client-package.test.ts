import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { createFoyer, getToken, refusalOf, signInUrl } from '../../client/sdk/index.ts'
import { verifyToken, verifyWebhook } from '../../client/sdk/server.ts'
import { routerTypes } from '../../tools/router-types.ts'
import { projectFolder } from '../config.ts'
import { signToken } from '../token/access-tokens.ts'
import { registerApplication, signInTo } from './applications.ts'
import { createOrganizationOwner } from './organizations.ts'
import { createTestApp } from './test-app.ts'
import { createUser } from './test-users.ts'

const audience = 'https://api.example.com'
const testApp = await createTestApp({ TOKEN_AUDIENCES: audience })
const issuer = testApp.origin

/** Every call whose types differ becomes a compiler error that names it. */
const comparison = `import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter as Server } from '../../server/router.ts'
import type { AppRouter as Described } from './described.ts'

type Differing<Narrow, Wide> = {
  [R in keyof Narrow]: {
    [C in keyof Narrow[R]]: R extends keyof Wide
      ? C extends keyof Wide[R]
        ? [Narrow[R][C]] extends [Wide[R][C]] ? never : [R, C]
        : [R, C]
      : [R, C]
  }[keyof Narrow[R]]
}[keyof Narrow]
type Same<T extends never> = T
// What the server answers fits what is described, and what is described is taken by the server. Documents and pictures
// are served over REST only.
type OverRest = ['payment', 'invoice'] | ['picture', 'upload']
export type Outputs = Same<Exclude<Differing<inferRouterOutputs<Server>, inferRouterOutputs<Described>>, OverRest>>
export type Inputs = Same<Differing<inferRouterInputs<Described>, inferRouterInputs<Server>>>
// And neither has a call more.
export type Calls = Same<Differing<inferRouterOutputs<Described>, { [R in keyof Server['_def']['record']]: Record<keyof Server['_def']['record'][R], unknown> }>>
`

describe('the types of the client package', () => {
  it('match those of the server', async () => {
    mkdirSync(join(projectFolder, 'dist'), { recursive: true })
    const folder = mkdtempSync(join(projectFolder, 'dist', 'types-'))
    try {
      writeFileSync(join(folder, 'described.ts'), await routerTypes())
      writeFileSync(join(folder, 'comparison.ts'), comparison)
      const tsconfig = { extends: '../../tsconfig.json', include: ['*.ts'] }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
      const compiler = join(projectFolder, 'node_modules', 'typescript', 'bin', 'tsc')
      const compile = () => {
        try {
          execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
          return ''
        } catch (error) {
          return typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout) : String(error)
        }
      }
      expect(compile()).toBe('')
      // Checks that the comparison can fail.
      const changed = (await routerTypes()).replace("Calls['organization']['getActiveMember']['output']", 'number')
      writeFileSync(join(folder, 'described.ts'), changed)
      expect(compile()).toContain('getActiveMember')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('createFoyer', () => {
  it('calls with the given headers, and returns refusals by code', async () => {
    const person = await createUser(testApp)
    const cookie = [...person.browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const foyer = createFoyer({ url: `${issuer}/`, headers: () => ({ cookie, origin: issuer }) })
    expect((await foyer.session.get.query())?.user.id).toBe(person.id)
    const first = await getToken(foyer)
    expect(await getToken(foyer)).toBe(first)
    expect(await getToken(foyer, { fresh: true })).not.toBe(first)
    // Concurrent calls share one request. A call after a switch makes another one.
    const [one, other] = await Promise.all([getToken(foyer), getToken(foyer)])
    expect(one).toBe(other)
    await foyer.organization.setActive.mutate({ organizationId: null })
    expect(await getToken(foyer)).not.toBe(one)
    const forProduct = await getToken(foyer, { audience })
    expect((await verifyToken(forProduct, { issuer, audience })).sub).toBe(person.id)
    const problem: unknown = await getToken(foyer, { audience: 'urn:other' }).catch((error: unknown) => error)
    expect(refusalOf(problem)).toBe('INVALID_AUDIENCE')
    expect(refusalOf(new Error('offline'))).toBeUndefined()
    const signedOut = createFoyer({ url: issuer })
    expect(await signedOut.session.get.query()).toBeNull()
    expect(refusalOf(await getToken(signedOut).catch((error: unknown) => error))).toBe('UNAUTHORIZED')
    expect(signInUrl(signedOut, 'https://app.example.com/?a=b&c=d')).toBe(
      `${issuer}/sign-in?next=https%3A%2F%2Fapp.example.com%2F%3Fa%3Db%26c%3Dd`,
    )
  })
})

describe('verifyToken', () => {
  it('returns the claims of tokens for this audience', async () => {
    const owner = await createOrganizationOwner(testApp)
    const { token } = (await owner.browser.get(`/token?audience=${encodeURIComponent(audience)}`)).body
    const claims = await verifyToken(token, { issuer, audience })
    expect(claims).toMatchObject({ sub: owner.id, org: { slug: owner.organization.slug, role: 'owner' } })
    const own = (await owner.browser.get('/token')).body.token
    expect((await verifyToken(own, { issuer: `${issuer}/` })).aud).toBe(issuer)
  })

  it('accepts access tokens of the issuer, and no id tokens', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const tokens = await signInTo(application, person.browser, issuer, { resource: audience })
    const claims = await verifyToken(tokens.access_token, { issuer, audience })
    expect([claims.sub, claims.client_id]).toEqual([person.id, application.id])
    await expect(verifyToken(tokens.id_token ?? '', { issuer, audience: application.id })).rejects.toThrow(TypeError)
  })

  it('rejects tokens that are for others, expired, altered, unsigned or of another issuer', async () => {
    const person = await createUser(testApp)
    const { token } = (await person.browser.get('/token')).body
    await expect(verifyToken(token, { issuer, audience })).rejects.toThrow('aud')
    const claims = { iss: issuer, aud: issuer, sub: person.id }
    const sign = (changes: object, seconds = 300) =>
      signToken(
        testApp.app.signingKeys,
        { ...claims, ...changes },
        { now: new Date(Date.now() - 60_000), lifetimeSeconds: seconds, type: 'JWT' },
      )
    expect((await verifyToken(await sign({}), { issuer })).sub).toBe(person.id)
    await expect(verifyToken(await sign({}, 30), { issuer })).rejects.toThrow('exp')
    await expect(verifyToken(await sign({ iss: 'https://evil.example' }), { issuer })).rejects.toThrow('iss')
    await expect(verifyToken(await sign({ sub: undefined }), { issuer })).rejects.toThrow('sub')
    const [head = '', body = '', signature = ''] = token.split('.')
    const altered = Buffer.from(Buffer.from(body, 'base64url').toString().replace(person.id, 'root')).toString(
      'base64url',
    )
    await expect(verifyToken(`${head}.${altered}.${signature}`, { issuer })).rejects.toThrow('signature')
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    await expect(verifyToken(`${unsigned}.${body}.`, { issuer })).rejects.toThrow('alg')
    await expect(verifyToken('', { issuer })).rejects.toThrow('Invalid Compact JWS')
  })
})

describe('verifyWebhook', () => {
  const secret = () => `whsec_${randomBytes(24).toString('base64')}`
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'user.created',
    timestamp: '2026-01-02T03:04:05.678Z',
    data: { id: 'ü' },
  })
  const headersOf = (by: string, at = new Date()) => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('evt_1', at, body),
  })

  it('returns the event, from text or bytes, with headers of either kind', () => {
    const key = secret()
    const event = { id: 'evt_1', type: 'user.created', timestamp: '2026-01-02T03:04:05.678Z', data: { id: 'ü' } }
    expect(verifyWebhook(body, headersOf(key), key)).toEqual(event)
    expect(verifyWebhook(new TextEncoder().encode(body), new Headers(headersOf(key)), key)).toEqual(event)
    expect(verifyWebhook(body, headersOf(key), [secret(), key])).toEqual(event)
    const lists = Object.fromEntries(Object.entries(headersOf(key)).map(([name, value]) => [name, [value]]))
    expect(verifyWebhook(body, lists, key)).toEqual(event)
  })

  it('throws for other secrets, altered bodies and old attempts', () => {
    const key = secret()
    expect(() => verifyWebhook(body, headersOf(key), secret())).toThrow('signature')
    expect(() => verifyWebhook(body.replace('user.', 'team.'), headersOf(key), key)).toThrow('signature')
    expect(() => verifyWebhook(body, { ...headersOf(key), 'webhook-id': 'evt_2' }, key)).toThrow('signature')
    expect(() => verifyWebhook(body, headersOf(key, new Date(Date.now() - 400_000)), key)).toThrow('old')
    expect(() => verifyWebhook(body, {}, key)).toThrow('headers')
    expect(() => verifyWebhook(body, headersOf(key), [])).toThrow('secret')
    const other = '{"hello":"testApp"}'
    const signed = { ...headersOf(key), 'webhook-signature': new Webhook(key).sign('evt_1', new Date(), other) }
    expect(() => verifyWebhook(other, signed, key)).toThrow('no event')
  })
})
