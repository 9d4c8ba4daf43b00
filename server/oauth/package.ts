import type { AsyncLocalStorage } from 'node:async_hooks'
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

/** The package's own store of the request that is being answered. */
type RequestStore = { default: AsyncLocalStorage<unknown> }
const storePath = 'oidc-provider/lib/helpers/als.js'

let running = 0

/**
 * Runs a request of the package, which keeps it in an `AsyncLocalStorage`. Up to Node 22 a storage that was used once
 * doubles the cost of every promise of the process, and a fifth of the CPU time of every call went into it (measured). So it
 * is switched off whenever no request of the package is running; the next one switches it on.
 */
export async function runRequest(work: () => Promise<void>): Promise<void> {
  const store = (await import(storePath)) as RequestStore
  running++
  try {
    await work()
  } finally {
    running--
    if (running === 0) store.default.disable()
  }
}
