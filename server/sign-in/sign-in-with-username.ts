import type { z } from 'zod'
import { normalizeUsername, usernameProblem } from '../../shared/identity.ts'
import type { SignInUsername } from '../../shared/session.ts'
import { isUnavailable } from '../foundation/database-errors.ts'
import { Refusal, refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'
import { signInWithPassword } from './sign-in-with-password.ts'

/** Signs in with username and password; an invalid username is rejected before any lookup. */
export async function signInWithUsername(ctx: Context, input: z.output<typeof SignInUsername>) {
  if (input.username === '' || input.password === '') refuse('INVALID_USERNAME_OR_PASSWORD')
  const problem = usernameProblem(input.username)
  if (problem) refuse(problem)
  try {
    const signedIn = await signInWithPassword(ctx, {
      ...input,
      by: { username: normalizeUsername(input.username) },
      refusals: { wrong: 'INVALID_USERNAME_OR_PASSWORD', unverified: 'USERNAME_EMAIL_NOT_VERIFIED' },
    })
    if (!signedIn) return { twoFactorRedirect: true as const }
    return { token: signedIn.session.token, user: signedIn.user }
  } catch (error) {
    if (error instanceof Refusal || isUnavailable(error)) throw error
    refuse('UNEXPECTED_ERROR', { cause: error })
  }
}
