import type * as oidc from 'oidc-provider'

type Package = typeof oidc

/** Errors that the issuer answers as OAuth prescribes. */
export type IssuerErrors = typeof oidc.errors

let loading: Promise<Package> | undefined

/**
 * Loads `oidc-provider`. It prints a warning on Node 20, where all of Foyer's tests pass with it. The warning is
 * suppressed because each line of a server's log must be a JSON document.
 */
export function loadPackage(): Promise<Package> {
  loading ??= loadWithoutWarnings()
  return loading
}

async function loadWithoutWarnings(): Promise<Package> {
  const { warn } = console
  console.warn = () => {}
  try {
    return await import('oidc-provider')
  } finally {
    console.warn = warn
  }
}
