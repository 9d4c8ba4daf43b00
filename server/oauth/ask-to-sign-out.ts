import type { KoaContextWithOIDC } from 'oidc-provider'
import { withQuery } from '../../shared/redirect.ts'
import type { App } from '../dependencies.ts'
import { verifySignature, sign } from '../foundation/crypto.ts'
import { findClientRow } from './clients.ts'
import { callerOf } from './read-issuer-caller.ts'

/**
 * Leads to the page that asks whether to sign out, which then redirects to the application's URL. A link alone signs no
 * user out.
 */
export async function askToSignOut(app: App, koa: KoaContextWithOIDC): Promise<void> {
  const { state } = koa.oidc.session ?? {}
  const uri = state?.['postLogoutRedirectUri']
  const requested = state?.['state']
  const target =
    typeof uri === 'string' ? withQuery(uri, typeof requested === 'string' ? { state: requested } : {}) : '/sign-in'
  const clientId = koa.oidc.client?.clientId ?? ''
  const done = withQuery('/oauth/end-session/done', {
    to: Buffer.from(target).toString('base64url'),
    client: clientId,
    signature: sign(app.keys.links, textOf({ target, clientId })),
  })
  koa.redirect((await callerOf(koa)) ? `/sign-out?next=${encodeURIComponent(done)}` : target)
}

/** What is signed, so that it can be passed through the browser. */
const textOf = ({ target, clientId }: { target: string; clientId: string }) =>
  `logout:${JSON.stringify([clientId, target])}`

/**
 * The target of a sign-out that was signed by `askToSignOut`. If the application no longer has its URL, the page to
 * sign in. Undefined if it was not signed.
 */
export async function readSignOutTarget(
  { db, keys }: Pick<App, 'db' | 'keys'>,
  query: Record<string, unknown>,
): Promise<string | undefined> {
  const { to, client: clientId, signature } = query
  if (typeof to !== 'string' || typeof clientId !== 'string' || typeof signature !== 'string') return undefined
  const target = Buffer.from(to, 'base64url').toString('utf8')
  if (!verifySignature(keys.links, textOf({ target, clientId }), signature)) return undefined
  const client = await findClientRow(db, clientId)
  const isRegistered = client?.postLogoutRedirectUris.some((uri) => {
    const [registered, asked] = [new URL(uri), URL.canParse(target) ? new URL(target) : undefined]
    return registered.origin === asked?.origin && registered.pathname === asked.pathname
  })
  return isRegistered ? target : '/sign-in'
}
