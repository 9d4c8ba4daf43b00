import { type ReactNode, useEffect } from 'react'
import { useFoyer } from './FoyerProvider.tsx'
import { useSession } from './hooks.ts'
import { signInUrl } from './index.ts'

/** Shows its children to who is signed in. */
export function SignedIn({ children }: { children?: ReactNode }) {
  return useSession().data ? children : null
}

/** Shows its children once it is known that nobody is signed in: neither while loading, nor when Foyer does not answer. */
export function SignedOut({ children }: { children?: ReactNode }) {
  const { data, isLoading, error } = useSession()
  return !data && !isLoading && !error ? children : null
}

/** Goes to the sign-in, which comes back to this address. */
export function RedirectToSignIn() {
  const foyer = useFoyer()
  useEffect(() => {
    location.assign(signInUrl(foyer, location.href))
  }, [foyer])
  return null
}
