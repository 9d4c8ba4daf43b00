import { useEffect, useState } from 'react'
import { withQuery } from '../../shared/redirect.ts'

const keyOf = (name: string) => `foyer.link.${name}`

/**
 * The secret of an emailed link. It is removed from the URL immediately, so that it does not remain in the history, and
 * kept in sessionStorage, so that it survives a reload or a sign-in in between (SEC-122). `name` identifies the kind of
 * link.
 */
export function useLinkSecret(name: string, fromUrl: string | undefined): string | undefined {
  const [secret] = useState(
    () => fromUrl ?? (hasQuery() ? undefined : sessionStorage.getItem(keyOf(name))) ?? undefined,
  )
  useEffect(() => {
    // The link's final target is not secret, and is needed later.
    const next = new URLSearchParams(location.search).get('next')
    if (secret === undefined) forgetLinkSecret(name)
    else sessionStorage.setItem(keyOf(name), secret)
    history.replaceState(history.state, '', withQuery(location.pathname, next === null ? {} : { next }))
  }, [name, secret])
  return secret
}

/** A URL with a query of its own, such as an error, comes from a new link, so a stored secret is ignored. */
function hasQuery(): boolean {
  return [...new URLSearchParams(location.search).keys()].some((name) => name !== 'next')
}

/** Deletes the secret after the link has been used. */
export function forgetLinkSecret(name: string): void {
  sessionStorage.removeItem(keyOf(name))
}
