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

const redirectedKey = 'foyer.redirected'
/** Nobody types a password faster, in milliseconds. */
const loopMs = 2_000

/** Goes to the sign-in, which comes back to this address. */
export function RedirectToSignIn() {
  const foyer = useFoyer()
  useEffect(() => {
    // Foyer sends whoever is signed in straight back. If the cookie does not come along, that would go on for ever.
    const last = Number(sessionStorage.getItem(redirectedKey))
    if (Date.now() - last < loopMs) {
      reportError(
        new Error(
          'Signed in at Foyer, but the session does not reach this page: it must be of the same site, and in TRUSTED_ORIGINS.',
        ),
      )
      return
    }
    sessionStorage.setItem(redirectedKey, String(Date.now()))
    location.assign(signInUrl(foyer, location.href))
  }, [foyer])
  return null
}
