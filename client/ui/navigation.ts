import { useRouter } from '@tanstack/react-router'
import { isSafePath } from '../../shared/redirect.ts'

/** Leads the window to a checked address: inside the application without loading it anew, elsewhere by loading it. */
export function useNavigateTo(): (target: string) => void {
  const { history } = useRouter()
  return (target) => (isSafePath(target) ? history.push(target) : location.assign(target))
}

/** To the sign-in as a new page: nothing of the former user stays in memory. */
export function leave(): void {
  location.assign('/sign-in')
}
