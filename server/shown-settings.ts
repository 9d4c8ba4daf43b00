import { providerSettingNames } from './provider-settings.ts'
import type { Settings } from './settings.ts'

/** A setting as it is in force; the value of a secret is null. `isSet`: the environment has it, otherwise it is the default. */
export type ShownSetting = { name: string; value: string | null; isSecret: boolean; isSet: boolean }

/** What administrators see of the settings: values as operators write them, and secrets without theirs. */
export function showSettings(settings: Settings, given: Record<string, string | undefined>): ShownSetting[] {
  const show = (name: string, inForce: string | null): ShownSetting => {
    const isSecret = secretName.test(name)
    const isSet = given[name] !== undefined
    return { name, value: isSecret ? null : withoutPassword(given[name] ?? inForce), isSecret, isSet }
  }
  const shown = Object.entries(settings).flatMap(([name, value]) =>
    name === 'NODE_ENV' ? [] : [show(name, value === undefined ? null : textOf(value))],
  )
  const ofProviders = providerSettingNames.filter((name) => given[name] !== undefined)
  return [...shown, ...ofProviders.map((name) => show(name, null))]
}

/** Settings whose values are not shown. */
const secretName = /SECRET$|_KEY$/

/** A value as one would write it in the environment. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** URLs of databases and mail servers have passwords: as part of the address, or as a parameter. */
function withoutPassword(text: string | null): string | null {
  if (text === null || !text.includes('://')) return text
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Without its signs encoded a password ends up anywhere, and an address of several hosts is no URL.
  const isUnclear = !url || [url.pathname, url.search, url.hash].some((part) => part.includes('@'))
  if (isUnclear) return text.includes('@') || !url ? text.replace(/:\/\/.*/s, '://***') : text
  const secrets = [...url.searchParams.keys()].filter((name) => /pass|secret|token|key/i.test(name))
  if (url.password === '' && secrets.length === 0) return text
  if (url.password !== '') url.password = '***'
  for (const name of secrets) url.searchParams.set(name, '***')
  return url.href
}
