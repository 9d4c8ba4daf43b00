import { useEffect, useState } from 'react'

const keyOf = (name: string) => `foyer.link.${name}`

/**
 * The secret of a mailed link: taken out of the address at once, so that it stands in no history, and kept for this tab alone,
 * so that it survives a reload and a sign-in on the way (SEC-122). `name` tells one link from another.
 */
export function useLinkSecret(name: string, inAddress: string | undefined): string | undefined {
  const [secret] = useState(
    () => inAddress ?? (isOpenedAnew() ? undefined : sessionStorage.getItem(keyOf(name))) ?? undefined,
  )
  useEffect(() => {
    if (secret === undefined) forgetLinkSecret(name)
    else sessionStorage.setItem(keyOf(name), secret)
    history.replaceState(history.state, '', location.pathname)
  }, [name, secret])
  return secret
}

/** Has a link led here with something to say, such as an error? What an earlier one brought does not count then. */
function isOpenedAnew(): boolean {
  return location.search !== ''
}

/** The link has done what it was for. */
export function forgetLinkSecret(name: string): void {
  sessionStorage.removeItem(keyOf(name))
}
