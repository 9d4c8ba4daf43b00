import { providerSettingNames } from './provider-settings.ts'
import type { Settings } from './settings.ts'

/** A current setting. The value of a secret is null. `isSet` is false for a default. */
export type ShownSetting = { name: string; value: string | null; isSecret: boolean; isSet: boolean }

/**
 * The named settings as administrators see them: values as operators write them, else those in force, and secrets
 * without their values.
 */
export function showSettings(
  names: readonly string[],
  settings: Partial<Settings>,
  present: Record<string, string | undefined>,
): ShownSetting[] {
  const show = (name: string, inForce: string | null): ShownSetting => {
    const isSecret = secretName.test(name) && !publicNames.has(name)
    const isSet = present[name] !== undefined
    return { name, value: isSecret ? null : withoutPassword(present[name] ?? inForce), isSecret, isSet }
  }
  const values: Record<string, unknown> = settings
  const shown = names.map((name) => show(name, values[name] === undefined ? null : textOf(values[name])))
  const ofProviders = providerSettingNames.filter((name) => present[name] !== undefined)
  return [...shown, ...ofProviders.map((name) => show(name, null))]
}

/** Names of settings that may be secret. A new one is not shown until it is added to those below. */
const secretName = /SECRET|KEY|TOKEN|PASS|CREDENTIAL/

/** Settings with such a name that are not secret: durations, lengths and features. */
const publicNames: ReadonlySet<string> = new Set<keyof Settings>([
  'TOKEN_LIFETIME',
  'TOKEN_AUDIENCES',
  'VERIFICATION_TOKEN_LIFETIME',
  'RESET_TOKEN_LIFETIME',
  'DELETE_TOKEN_LIFETIME',
  'RESET_PASSWORD',
  'EMAIL_PASSWORD',
  'PASSWORD_MIN',
  'PASSWORD_MAX',
])

/** A value as written in the environment. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** Removes passwords from URLs of databases and mail servers, where they may be in the authority or in a parameter. */
function withoutPassword(text: string | null): string | null {
  if (text === null || !text.includes('://')) return text
  const url = URL.canParse(text) ? new URL(text) : undefined
  // A password with unencoded characters may end up in any part, and an address of several hosts is not a valid URL.
  const isUnclear = !url || [url.pathname, url.search, url.hash].some((part) => part.includes('@'))
  if (isUnclear) return text.includes('@') || !url ? text.replace(/:\/\/.*/s, '://***') : text
  const secrets = [...url.searchParams.keys()].filter((name) => /pass|secret|token|key/i.test(name))
  if (url.password === '' && secrets.length === 0) return text
  if (url.password !== '') url.password = '***'
  for (const name of secrets) url.searchParams.set(name, '***')
  return url.href
}
