import { english, languageByCode, languageById, type LanguageCode } from '../../shared/language.ts'
import { enCore } from './en-core.ts'
import type { Texts } from './en.ts'
import { addTexts, changeLanguage, hasTexts, translation } from './translation.ts'

/** English is the fallback: its first part is bundled, the rest comes with the shell. The others are loaded on demand. */
const catalogues: Record<LanguageCode, () => Promise<Texts>> = {
  en: () => import('./en.ts').then(({ en }) => en),
  de: () => import('./de.ts').then(({ de }) => de),
  es: () => import('./es.ts').then(({ es }) => es),
  fr: () => import('./fr.ts').then(({ fr }) => fr),
  pl: () => import('./pl.ts').then(({ pl }) => pl),
  tr: () => import('./tr.ts').then(({ tr }) => tr),
  uk: () => import('./uk.ts').then(({ uk }) => uk),
  ru: () => import('./ru.ts').then(({ ru }) => ru),
}

/** localStorage key of the language chosen by the user. */
const storageKey = 'foyer.language'

addTexts(english.code, enCore)

/** Starts with the stored language, or else the first supported language of the browser. */
export async function startLanguage(): Promise<void> {
  // An application that sends its user here may name languages (`ui_locales`, OpenID Connect Core 1.0, 3.1.2.1).
  const named = (new URLSearchParams(location.search).get('lang') ?? '').split(/[ ,]/)
  const candidates = [...named, localStorage.getItem(storageKey) ?? '', ...navigator.languages]
  const preferred = candidates
    .map((tag) => languageByCode(tag.split('-')[0] ?? ''))
    .find((language) => language !== undefined)
  // If the language file cannot be loaded, the page stays in English.
  await showLanguage(preferred?.code ?? english.code).catch(() => {})
}

let hasShellTexts = false

/** Loads the English texts of screens that only signed-in users see. */
export async function loadShellTexts(): Promise<void> {
  if (hasShellTexts) return
  const { enShell } = await import('./en-shell.ts')
  addTexts(english.code, enShell)
  hasShellTexts = true
}

/** Changes the language and stores the choice in this browser. */
export async function chooseLanguage(code: LanguageCode): Promise<void> {
  const isShown = await showLanguage(code).then(
    () => true,
    () => false,
  )
  if (isShown) localStorage.setItem(storageKey, code)
}

/** Switches to the language of the signed-in account (R30), unless an application asks for another on this screen. */
export async function applyAccountLanguage(id: number): Promise<void> {
  if (new URLSearchParams(location.search).has('lang')) return
  const { code } = languageById(id)
  if (code !== currentLanguage()) await chooseLanguage(code)
}

async function showLanguage(code: LanguageCode): Promise<void> {
  await setLanguage(code)
  document.documentElement.lang = code
}

/** Sets the language of all texts, outside of a browser too. */
export async function setLanguage(code: LanguageCode): Promise<void> {
  if (!hasTexts(code)) addTexts(code, await catalogues[code]())
  changeLanguage(code)
}

/** The current language, as one of the supported codes. */
export function currentLanguage(): LanguageCode {
  return translation().language
}
