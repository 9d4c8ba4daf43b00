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

/** URLs of databases and mail servers have passwords, in which an @ may stand as it is. */
function withoutPassword(text: string | null): string | null {
  return text?.replaceAll(/(:\/\/[^:@/\s]*):\S*@/g, '$1:***@') ?? null
}
