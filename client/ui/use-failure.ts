import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useReason } from './ErrorMessage.tsx'

/** The reason of a failed screen, and a function to load it again. */
export function useFailure({ error, reset }: Pick<ErrorComponentProps, 'error' | 'reset'>) {
  const router = useRouter()
  const reason = useReason()(error)
  // Otherwise a query that failed would fail again, without a request.
  const { reset: forgetErrors } = useQueryErrorResetBoundary()
  const retry = () => {
    forgetErrors()
    reset()
    void router.invalidate()
  }
  return { reason, retry }
}
