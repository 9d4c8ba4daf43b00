import { english, languageByCode, languageById, type LanguageCode } from '../../shared/language.ts'
import { enSignIn } from './en-sign-in.ts'
import { addTexts, changeLanguage, translation } from './translation.ts'

/**
 * The texts of each language, loaded on demand. English is the fallback: the texts of the sign-in screen are part of the
 * first visit, and these are the others.
 */
const catalogues = {
  en: () => import('./en-screens.ts').then(({ enScreens }) => enScreens),
  de: () => import('./de.ts').then(({ de }) => de),
  es: () => import('./es.ts').then(({ es }) => es),
  fr: () => import('./fr.ts').then(({ fr }) => fr),
  pl: () => import('./pl.ts').then(({ pl }) => pl),
  tr: () => import('./tr.ts').then(({ tr }) => tr),
  uk: () => import('./uk.ts').then(({ uk }) => uk),
  ru: () => import('./ru.ts').then(({ ru }) => ru),
}

const loaded = new Set<LanguageCode>()

/** localStorage key of the language chosen by the user. */
const storageKey = 'foyer.language'

addTexts(english.code, enSignIn)

/** Starts with the stored language, or else the first supported language of the browser. */
export async function startLanguage(): Promise<void> {
  // An application that sends its user here may name languages (`ui_locales`, OpenID Connect Core 1.0, 3.1.2.1).
  const named = (new URLSearchParams(location.search).get('lang') ?? '').split(/[ ,]/)
  const candidates = [...named, localStorage.getItem(storageKey) ?? '', ...navigator.languages]
  const preferred = candidates
    .map((tag) => languageByCode(tag.split('-')[0] ?? ''))
    .find((language) => language !== undefined)
  // The texts of the sign-in screen are there. If a language cannot be loaded, the page stays in English.
  if (preferred && preferred.code !== english.code) await showLanguage(preferred.code).catch(() => {})
}

/** Loads the texts of all screens in the current language. */
export async function loadTexts(language: LanguageCode = currentLanguage()): Promise<void> {
  if (loaded.has(language)) return
  addTexts(language, await catalogues[language]())
  loaded.add(language)
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
  await loadTexts(code)
  changeLanguage(code)
}

/** The current language, as one of the supported codes. */
export function currentLanguage(): LanguageCode {
  return translation().language
}
