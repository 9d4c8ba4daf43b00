import { useNavigate } from '@tanstack/react-router'
import type { Outputs } from '../api/trpc.ts'
import { useNavigateTo } from '../ui/navigation.ts'
import { withNext } from '../ui/next.ts'

/** The answer to a password or an emailed code: the session, or that the second step is missing. */
type SignInResponse =
  | Outputs['session']['signInEmail']
  | Outputs['session']['signInUsername']
  | Outputs['session']['signInEmailCode']

/** Continues after a sign-in: to the second step if there is one, and to the final target after it. */
export function useFinishSignIn(next: string | undefined): (answer: SignInResponse) => void {
  const navigate = useNavigate()
  const go = useNavigateTo()
  return (answer) => {
    if ('twoFactorRedirect' in answer) void navigate({ to: '/two-factor', search: withNext(next) })
    else go('redirect' in answer && answer.redirect && answer.url !== null ? answer.url : (next ?? '/'))
  }
}
