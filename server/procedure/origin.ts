import { isTrustedOrigin } from '../../shared/redirect.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'

/** Calls with cookies, and calls that create a session, must come from a trusted page (SEC-34, SEC-36). */
export function checkOrigin({ source, config }: Context, startsSession: boolean): void {
  const { origin, site, hasCookies } = source
  if (!hasCookies && !startsSession) return
  const isAllowed =
    origin !== undefined
      ? isTrustedOrigin(origin, config)
      : hasCookies
        ? site === 'same-origin'
        : site !== 'cross-site' && site !== 'same-site'
  if (!isAllowed) refuse('INVALID_ORIGIN')
}
