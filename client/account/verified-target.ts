import { withQuery } from '../../shared/redirect.ts'

/**
 * Where a mailed proof leads: to the screen that says what came of it, with the address filled in for whoever still has to
 * sign in. `next` is where somebody goes who is signed in there already.
 */
export function verifiedTarget(email: string, next?: string): string {
  return withQuery('/verified', { email, ...(next !== undefined && { next }) })
}
