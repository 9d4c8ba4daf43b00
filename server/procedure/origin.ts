import { isTrustedOriginHeader } from '../../shared/redirect.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'

/**
 * Calls with cookies must come from a trusted page (SEC-34). So must, without cookies, calls that create a session
 * (SEC-36) or have a limit of their own, which a foreign page could use up for its visitors.
 */
export function checkOrigin({ source, config, credential }: Context, isSensitive: boolean): void {
  const { origin, site, hasCookies } = source
  // Browsers do not send tokens or keys on their own.
  if (!hasCookies && (!isSensitive || credential)) return
  const isAllowed =
    origin !== undefined
      ? isTrustedOriginHeader(origin, config)
      : hasCookies
        ? site === 'same-origin'
        : site !== 'cross-site' && site !== 'same-site'
  if (!isAllowed) refuse('INVALID_ORIGIN')
}

/**
 * A read with a rate limit of its own must not be triggered by images and scripts of other pages. Links and API clients
 * are not affected.
 */
export function checkReadOrigin({ source, config }: Context): void {
  const { origin, site, isNavigation } = source
  const isForeign = site === 'cross-site' || site === 'same-site'
  if (isForeign && !isNavigation && !(origin !== undefined && isTrustedOriginHeader(origin, config)))
    refuse('INVALID_ORIGIN')
}
