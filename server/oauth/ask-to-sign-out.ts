import type { KoaContextWithOIDC } from 'oidc-provider'
import { withQuery } from '../../shared/redirect.ts'
import type { App } from '../dependencies.ts'
import { isSignature, sign } from '../foundation/crypto.ts'
import { callerOf } from './read-issuer-caller.ts'

/**
 * Leads to the page that asks whether to sign out, which then redirects to the application's URL. A link alone signs no
 * user out.
 */
export async function askToSignOut(app: App, koa: KoaContextWithOIDC): Promise<void> {
  const { state } = koa.oidc.session ?? {}
  const uri = state?.['postLogoutRedirectUri']
  const given = state?.['state']
  const target =
    typeof uri === 'string' ? withQuery(uri, typeof given === 'string' ? { state: given } : {}) : '/sign-in'
  const done = `/oauth/end-session/done?to=${Buffer.from(target).toString('base64url')}&signature=${signTarget(app, target)}`
  koa.redirect((await callerOf(koa)) ? `/sign-out?next=${encodeURIComponent(done)}` : target)
}

/** Signs a validated target, so that it can be passed through the browser. */
function signTarget({ keys }: Pick<App, 'keys'>, target: string): string {
  return sign(keys.links, `logout:${target}`)
}

/** Whether this target was signed by `askToSignOut`. */
export function isSignedTarget({ keys }: Pick<App, 'keys'>, target: string, signature: unknown): boolean {
  return typeof signature === 'string' && isSignature(keys.links, `logout:${target}`, signature)
}
