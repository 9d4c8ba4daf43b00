import { hasEmptyRole, isOwner, isRole, splitRoles } from '../../shared/permissions.ts'
import type { RefusalKey } from '../../shared/errors.ts'
import { refuse } from '../foundation/refusal.ts'

/**
 * A role as it was asked for, in the form in which it is stored: known names, once each, joined by commas. Only an owner may
 * give the owner's role, in whatever form (SEC-47); `denied` is the refusal of everybody else.
 */
export function parseRole(
  given: string | readonly string[],
  { by, denied }: { by: string; denied: RefusalKey },
): string {
  const names = splitRoles(given)
  // `member,` names a role that does not exist: nobody means it, so nothing is guessed.
  if (hasEmptyRole(given)) refuse('ROLE_NOT_FOUND')
  if (names.includes('owner') && !isOwner(by)) refuse(denied)
  if (names.length === 0 || !names.every(isRole)) refuse('ROLE_NOT_FOUND')
  return names.join(',')
}
