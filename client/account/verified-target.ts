import { withQuery } from '../../shared/redirect.ts'

/**
 * Where a verification link leads: to the screen that shows its outcome, with the address filled in for people who still have to
 * sign in. `next` is where somebody goes who is signed in there already.
 */
export function verifiedTarget(email: string, next?: string): string {
  return withQuery('/verified', { email, ...(next !== undefined && { next }) })
}
