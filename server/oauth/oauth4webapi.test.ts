import * as oauth from 'oauth4webapi'
import { describe, expect, it } from 'vitest'
import { deviceGrant } from '../../shared/oauth.ts'
import { callback, follow, registerApplication } from '../testing/applications.ts'
import type { Browser } from '../testing/browser.ts'
import { createOrganizationOwner } from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createUser } from '../testing/test-users.ts'
import type { GrantType } from './clients.ts'

// Drives the issuer with the unmodified oauth4webapi, which checks every response strictly against the standards.

const api = 'https://api.example.com'
const testApp = await createTestApp({ TOKEN_AUDIENCES: api })
const issuer = new URL(testApp.origin)
const overHttp = { [oauth.allowInsecureRequests]: true }
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, overHttp))

async function open(options: Partial<{ isPublic: boolean; grantTypes: GrantType[] }> = {}) {
  const { id, secret } = await registerApplication(testApp, options)
  const authentication = secret === undefined ? oauth.None() : oauth.ClientSecretBasic(secret)
  return { client: { client_id: id }, authentication }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Signs the user in with the code flow and PKCE. Returns the tokens. */
async function signIn({ client, authentication }: Opened, { browser }: { browser: Browser }, more: object = {}) {
  const verifier = oauth.generateRandomCodeVerifier()
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
  const url = new URL(server.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid email offline_access',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...more,
  }).toString()
  const { at } = await follow(browser, url.href, testApp.origin)
  // Checks `iss` in the answer too (RFC 9207).
  const answer = oauth.validateAuthResponse(server, client, at, state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    answer,
    callback,
    verifier,
    overHttp,
  )
  const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(server, response, overHttp)
  return result
}

async function refresh({ client, authentication }: Opened, token: string) {
  const response = await oauth.refreshTokenGrantRequest(server, client, authentication, token, overHttp)
  return oauth.processRefreshTokenResponse(server, client, response)
}

async function introspect({ client, authentication }: Opened, token: string) {
  const response = await oauth.introspectionRequest(server, client, authentication, token, overHttp)
  return oauth.processIntrospectionResponse(server, client, response)
}

describe('oauth4webapi', () => {
  it('signs users in, and reads their identity', async () => {
    for (const isPublic of [false, true]) {
      const application = await open({ isPublic })
      const person = await createUser(testApp)
      const tokens = await signIn(application, person)
      expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: person.id, email: person.email })
      const { client } = application
      const response = await oauth.userInfoRequest(server, client, tokens.access_token, overHttp)
      expect(await oauth.processUserInfoResponse(server, client, person.id, response)).toMatchObject({
        email: person.email,
        email_verified: true,
      })
    }
  })

  it('validates access tokens for a resource as a back end (RFC 9068)', async () => {
    const owner = await createOrganizationOwner(testApp)
    const tokens = await signIn(await open(), owner, { resource: api })
    const request = new Request(api, { headers: { authorization: `Bearer ${tokens.access_token}` } })
    const claims = await oauth.validateJwtAccessToken(server, request, api, overHttp)
    expect(claims).toMatchObject({ sub: owner.id, org: { slug: owner.organization.slug } })
    const other = new Request(api, { headers: { authorization: `Bearer ${tokens.access_token}` } })
    await expect(oauth.validateJwtAccessToken(server, other, 'https://other.example', overHttp)).rejects.toThrow('aud')
  })

  it('rotates refresh tokens; one used twice ends the grant', async () => {
    const application = await open()
    const first = (await signIn(application, await createUser(testApp))).refresh_token ?? ''
    const second = (await refresh(application, first)).refresh_token ?? ''
    expect(await introspect(application, second)).toMatchObject({ active: true })
    for (const token of [first, second])
      await expect(refresh(application, token)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect(await introspect(application, second)).toEqual({ active: false })
  })

  it('revokes tokens', async () => {
    const application = await open()
    const { client, authentication } = application
    const token = (await signIn(application, await createUser(testApp))).refresh_token ?? ''
    const response = await oauth.revocationRequest(server, client, authentication, token, overHttp)
    expect(await oauth.processRevocationResponse(response)).toBeUndefined()
    expect(await introspect(application, token)).toEqual({ active: false })
  })

  it('pushes requests, and issues tokens to programs', async () => {
    const { client, authentication } = await open()
    const pushed = await oauth.pushedAuthorizationRequest(
      server,
      client,
      authentication,
      {
        redirect_uri: callback,
        response_type: 'code',
        scope: 'openid',
        code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
        code_challenge_method: 'S256',
      },
      overHttp,
    )
    const { request_uri: uri } = await oauth.processPushedAuthorizationResponse(server, client, pushed)
    expect(uri).toMatch(/^urn:ietf:params:oauth:request_uri:/)
    const program = await open({ grantTypes: ['client_credentials'] })
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      program.client,
      program.authentication,
      { resource: api },
      overHttp,
    )
    const tokens = await oauth.processClientCredentialsResponse(server, program.client, response)
    const request = new Request(api, { headers: { authorization: `Bearer ${tokens.access_token}` } })
    const { client_id: id } = program.client
    expect(await oauth.validateJwtAccessToken(server, request, api, overHttp)).toMatchObject({ sub: id, client_id: id })
  })

  it('signs devices in', async () => {
    const { client, authentication } = await open({ isPublic: true, grantTypes: [deviceGrant] })
    const scope = { scope: 'openid profile' }
    const started = await oauth.deviceAuthorizationRequest(server, client, authentication, scope, overHttp)
    const device = await oauth.processDeviceAuthorizationResponse(server, client, started)
    const poll = async () => {
      const response = await oauth.deviceCodeGrantRequest(server, client, authentication, device.device_code, overHttp)
      return oauth.processDeviceCodeResponse(server, client, response)
    }
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' })
    const person = await createUser(testApp)
    const { trpc } = person.browser
    await trpc.oauth.device.mutate({ userCode: device.user_code })
    await trpc.oauth.decideDevice.mutate({ userCode: device.user_code, isAllowed: true })
    const tokens = await poll()
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: person.id, name: person.name })
  })
})
