import type { RefusalKey } from '../../shared/errors.ts'
import { hasEmptyRole, isOwner, isRole, splitRoles } from '../../shared/permissions.ts'
import { refuse } from '../foundation/refusal.ts'

/**
 * Converts a requested role to its stored form: known names, without duplicates, joined by commas. Only an owner may
 * grant the owner role, in any notation (SEC-47); others get the refusal `denied`.
 */
export function requireGrantableRole(
  given: string | readonly string[],
  { by, denied }: { by: string; denied: RefusalKey },
): string {
  const names = splitRoles(given)
  // `member,` contains an empty role name: rejected, rather than guessing the intent.
  if (hasEmptyRole(given)) refuse('ROLE_NOT_FOUND')
  if (names.includes('owner') && !isOwner(by)) refuse(denied)
  if (names.length === 0 || !names.every(isRole)) refuse('ROLE_NOT_FOUND')
  return names.join(',')
}
