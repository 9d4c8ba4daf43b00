import { withQuery } from '../../shared/redirect.ts'
import { withNext } from '../ui/next.ts'

/**
 * The callbackURL of a verification link: the screen that shows the result, with the email address prefilled for users
 * who still have to sign in. `next` is where users who are already signed in are redirected.
 */
export function verifiedTarget(email: string, next?: string): string {
  return withQuery('/verified', { email, ...withNext(next) })
}
