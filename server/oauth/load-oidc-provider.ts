import { AsyncLocalStorage } from 'node:async_hooks'
import type * as oidc from 'oidc-provider'
import { isRecord } from '../foundation/records.ts'

type Package = typeof oidc

/** Errors that the issuer answers as OAuth prescribes. */
export type IssuerErrors = typeof oidc.errors

let loading: Promise<Package> | undefined

/**
 * Loads `oidc-provider`. It prints a warning on Node 20, where all of Foyer's tests pass with it. The warning is
 * suppressed because each line of a server's log must be a JSON document.
 */
export function loadOidcProvider(): Promise<Package> {
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

/**
 * Where oidc-provider keeps the request that it is answering. Loaded from a file that is not part of its interface: a
 * version without it has nothing to switch off.
 */
async function loadStore(): Promise<AsyncLocalStorage<unknown> | undefined> {
  const path = 'oidc-provider/lib/helpers/als.js'
  const loaded: unknown = await import(path).catch(() => undefined)
  const store = isRecord(loaded) ? loaded['default'] : undefined
  return store instanceof AsyncLocalStorage ? store : undefined
}

let store: ReturnType<typeof loadStore> | undefined
let running = 0

/**
 * Runs a request of oidc-provider, which keeps it in an `AsyncLocalStorage`. Up to Node 22 a storage that was used once
 * doubles the cost of every promise of the process, and a fifth of the CPU time of every call went into it (measured).
 * So it is switched off whenever no request of oidc-provider is running; the next one switches it on.
 */
export async function runRequest(work: () => Promise<void>): Promise<void> {
  store ??= loadStore()
  const storage = await store
  running++
  try {
    await work()
  } finally {
    running--
    if (running === 0) storage?.disable()
  }
}
