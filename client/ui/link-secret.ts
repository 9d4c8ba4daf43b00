import { useEffect, useState } from 'react'

/**
 * The secret of a mailed link: taken out of the address at once, so that it stands in no history, and kept for this entry of
 * the history alone, so that it survives a reload (SEC-122). `name` tells it from other state.
 */
export function useLinkSecret(name: string, inAddress: string | undefined): string | undefined {
  const [secret] = useState(() => inAddress ?? keptSecret(name))
  useEffect(() => history.replaceState({ ...history.state, [name]: secret }, '', location.pathname), [name, secret])
  return secret
}

function keptSecret(name: string): string | undefined {
  const state: unknown = history.state
  const value: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, name) : undefined
  return typeof value === 'string' ? value : undefined
}
