import * as openid from 'openid-client'
import { transaction } from '../foundation/transactions.ts'
import { createClient, type GrantType } from '../oauth/clients.ts'
import type { Answer, Browser } from './browser.ts'
import type { TestApp } from './test-app.ts'

export const callback = 'https://app.example.com/callback'

type Options = Partial<{
  isPublic: boolean
  isFirstParty: boolean
  grantTypes: GrantType[]
  postLogoutRedirectUris: string[]
  backchannelLogoutUri: string
  redirectUris: string[]
  logo: string
}>

/** An application that users sign in to with Foyer, using the unmodified openid-client. */
export async function registerApplication(testApp: TestApp, options: Options = {}) {
  const client = {
    name: 'Shop',
    logo: null,
    redirectUris: [callback],
    postLogoutRedirectUris: [],
    backchannelLogoutUri: null,
    isFirstParty: true,
    isPublic: false,
    grantTypes: ['authorization_code' as const, 'refresh_token' as const],
    ...options,
    now: testApp.app.clock(),
  }
  const { row, secret } = await transaction(testApp, (tx) => createClient(tx, client))
  const auth = secret === undefined ? openid.None() : openid.ClientSecretBasic(secret)
  const config = await openid.discovery(new URL(testApp.origin), row.id, undefined, auth, {
    execute: [openid.allowInsecureRequests],
  })
  return { id: row.id, secret, config }
}

export type Application = Awaited<ReturnType<typeof registerApplication>>

/** A request for authorization as openid-client makes it: code flow with PKCE. */
export async function authorizationOf({ config }: Application, parameters: Record<string, string> = {}) {
  const verifier = openid.randomPKCECodeVerifier()
  const state = openid.randomState()
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid profile email',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...parameters,
  })
  return { url: url.href, verifier, state }
}

/** Follows redirects as a browser does, until a screen of Foyer or another origin. */
export async function follow(browser: Browser, start: string, origin: string): Promise<Answer & { at: URL }> {
  let at = new URL(start, origin)
  for (let n = 0; n < 12; n++) {
    if (at.origin !== origin || !/^\/(?:oauth|api)\//.test(at.pathname)) break
    const answer = await browser.request(at.href)
    if (answer.location === null) return { ...answer, at }
    at = new URL(answer.location, at)
  }
  return { status: 0, body: '', text: '', headers: new Headers(), cookies: [], location: null, at }
}

/** Signs the browser's user in to an application. Returns the tokens it received. */
export async function signInTo(
  application: Application,
  browser: Browser,
  origin: string,
  parameters: Record<string, string> = {},
) {
  const { url, verifier, state } = await authorizationOf(application, parameters)
  const { at, text } = await follow(browser, url, origin)
  if (!at.href.startsWith(callback)) throw new Error(`The request ended at ${at.href} ${text.slice(0, 300)}`)
  return openid.authorizationCodeGrant(application.config, at, { pkceCodeVerifier: verifier, expectedState: state })
}
