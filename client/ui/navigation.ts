import { useRouter } from '@tanstack/react-router'
import { isScreenPath } from '../../shared/redirect.ts'

/** Navigates to a validated URL: with the router inside the application, with a full page load elsewhere. */
export function useNavigateTo(): (target: string) => void {
  const { history } = useRouter()
  return (target) => (isScreenPath(target) ? history.push(target) : location.assign(target))
}

/** Loads the sign-in page with a full page load, so that no data of the previous user stays in memory. */
export function goToSignIn(): void {
  location.assign('/sign-in')
}
