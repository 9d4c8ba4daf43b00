import { isTrustedOrigin } from '../../shared/redirect.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'

/** A call that carries cookies, or opens a session, has to come from a page that we trust (SEC-34, SEC-36). */
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
