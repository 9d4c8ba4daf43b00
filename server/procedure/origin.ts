import { isTrustedOrigin } from '../../shared/redirect.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'

/**
 * Calls with cookies must come from a trusted page (SEC-34). So must, without cookies, calls that create a session (SEC-36) or
 * have a limit of their own, which a foreign page could use up for its visitors.
 */
export function checkOrigin({ source, config }: Context, isSensitive: boolean): void {
  const { origin, site, hasCookies } = source
  if (!hasCookies && !isSensitive) return
  const isAllowed =
    origin !== undefined
      ? isTrustedOrigin(origin, config)
      : hasCookies
        ? site === 'same-origin'
        : site !== 'cross-site' && site !== 'same-site'
  if (!isAllowed) refuse('INVALID_ORIGIN')
}
