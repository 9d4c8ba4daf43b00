import type { RefusalKey } from '../../shared/errors.ts'
import { isSafeTarget } from '../../shared/redirect.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'

/** Redirect fields and their refusals, in the order in which they are checked. */
const targets = [
  ['callbackURL', 'INVALID_CALLBACKURL'],
  ['redirectTo', 'INVALID_REDIRECTURL'],
  ['errorCallbackURL', 'INVALID_ERRORCALLBACKURL'],
  ['newUserCallbackURL', 'INVALID_NEWUSERCALLBACKURL'],
] as const satisfies [string, RefusalKey][]

/** Checks the raw input, because targets are validated before the session and before the other fields. */
export function checkRedirectTargets({ config }: Context, input: unknown): void {
  if (typeof input !== 'object' || input === null) return
  const given = new Map<string, unknown>(Object.entries(input))
  for (const [field, key] of targets) {
    const target = given.get(field)
    if (typeof target === 'string' && target !== '' && !isSafeTarget(target, config)) refuse(key)
  }
}
