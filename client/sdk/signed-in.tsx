import { type ReactNode, useEffect } from 'react'
import { useFoyer } from './FoyerProvider.tsx'
import { useSession } from './hooks.ts'
import { signInUrl } from './index.ts'

/** Renders its children when a user is signed in. */
export function SignedIn({ children }: { children?: ReactNode }) {
  return useSession().data ? children : null
}

/**
 * Renders its children once it is certain that no user is signed in: neither while loading, nor when Foyer does not
 * answer.
 */
export function SignedOut({ children }: { children?: ReactNode }) {
  const { data, isLoading, error } = useSession()
  return !data && !isLoading && !error ? children : null
}

const redirectedKey = 'foyer.redirected'
/** Two redirects within this time, in milliseconds, are a loop: no user enters a password faster. */
const loopMs = 2_000

/** Redirects to the sign-in page, which returns to the current URL. */
export function RedirectToSignIn() {
  const foyer = useFoyer()
  useEffect(() => {
    // Foyer redirects a signed-in user straight back. If the cookie is not sent along, that would be an endless loop.
    const last = Number(sessionStorage.getItem(redirectedKey))
    if (Date.now() - last < loopMs) {
      reportError(
        new Error(
          'Signed in at Foyer, but the session cookie is not sent to this page: it must be on the same site, and in TRUSTED_ORIGINS.',
        ),
      )
      return
    }
    sessionStorage.setItem(redirectedKey, String(Date.now()))
    location.assign(signInUrl(foyer, location.href))
  }, [foyer])
  return null
}
