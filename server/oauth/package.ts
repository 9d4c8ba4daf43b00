import type * as oidc from 'oidc-provider'

type Package = typeof oidc

let loading: Promise<Package> | undefined

/**
 * Loads `oidc-provider`. It warns on the console of Node 20, where all of Foyer's tests pass with it; a line of a server's log is a
 * JSON document, so this warning is not printed.
 */
export function loadPackage(): Promise<Package> {
  loading ??= loadQuietly()
  return loading
}

async function loadQuietly(): Promise<Package> {
  const { warn } = console
  console.warn = () => {}
  try {
    return await import('oidc-provider')
  } finally {
    console.warn = warn
  }
}
