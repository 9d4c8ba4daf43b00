import { english, languageByCode, languageById, type LanguageCode } from '../../shared/language.ts'
import { textsId } from '../../shared/prerendered.ts'
import type { SignInTexts } from './en-sign-in.ts'
import { addTexts, changeLanguage, translation } from './translation.ts'

/** The texts of the first visit. The page contains those of the browser's language. */
const signInTexts = {
  en: () => import('./en-sign-in.ts').then(({ enSignIn }) => enSignIn),
  de: () => import('./de-sign-in.ts').then(({ deSignIn }) => deSignIn),
  es: () => import('./es-sign-in.ts').then(({ esSignIn }) => esSignIn),
  fr: () => import('./fr-sign-in.ts').then(({ frSignIn }) => frSignIn),
  pl: () => import('./pl-sign-in.ts').then(({ plSignIn }) => plSignIn),
  tr: () => import('./tr-sign-in.ts').then(({ trSignIn }) => trSignIn),
  uk: () => import('./uk-sign-in.ts').then(({ ukSignIn }) => ukSignIn),
  ru: () => import('./ru-sign-in.ts').then(({ ruSignIn }) => ruSignIn),
}

/** The texts of all other screens. */
const screenTexts = {
  en: () => import('./en-screens.ts').then(({ enScreens }) => enScreens),
  de: () => import('./de-screens.ts').then(({ deScreens }) => deScreens),
  es: () => import('./es-screens.ts').then(({ esScreens }) => esScreens),
  fr: () => import('./fr-screens.ts').then(({ frScreens }) => frScreens),
  pl: () => import('./pl-screens.ts').then(({ plScreens }) => plScreens),
  tr: () => import('./tr-screens.ts').then(({ trScreens }) => trScreens),
  uk: () => import('./uk-screens.ts').then(({ ukScreens }) => ukScreens),
  ru: () => import('./ru-screens.ts').then(({ ruScreens }) => ruScreens),
}

const loaded = new Set<string>()

/** Whether a screen was opened that needs more than the texts of the first visit. */
let needsScreenTexts = false

/** localStorage key of the language chosen by the user. */
const storageKey = 'foyer.language'

/** The texts in the page, which the server has chosen by the browser's language (server/http/pages/prerendered.ts). */
function readTextsOfPage(): { language: LanguageCode; texts: SignInTexts } | undefined {
  const element = typeof document === 'undefined' ? null : document.getElementById(textsId)
  const language = languageByCode(element?.dataset['language'] ?? '')
  return element && language ? { language: language.code, texts: JSON.parse(element.textContent) } : undefined
}

const inPage = readTextsOfPage()
if (inPage) {
  addTexts(inPage.language, inPage.texts)
  loaded.add(`${inPage.language} sign-in`)
  changeLanguage(inPage.language)
}

/** Starts with the stored language, or else the first supported language of the browser. */
export async function startLanguage(): Promise<void> {
  // An application that sends its user here may name languages (`ui_locales`, OpenID Connect Core 1.0, 3.1.2.1).
  const named = (new URLSearchParams(location.search).get('lang') ?? '').split(/[ ,]/)
  const candidates = [...named, localStorage.getItem(storageKey) ?? '', ...navigator.languages]
  const preferred = candidates
    .map((tag) => languageByCode(tag.split('-')[0] ?? ''))
    .find((language) => language !== undefined)
  const language = preferred?.code ?? english.code
  if (inPage?.language === language) return
  await showLanguage(language).catch((error: unknown) => {
    // The page stays in the language of its texts. Without any, it says that it could not be loaded.
    if (!inPage) throw error
  })
}

/** The texts of the first visit, for the build. */
export async function readSignInTexts(language: LanguageCode): Promise<SignInTexts> {
  return signInTexts[language]()
}

/** Loads the texts of all screens in the current language. */
export async function loadTexts(): Promise<void> {
  needsScreenTexts = true
  const language = currentLanguage()
  await load(screenTexts, language)
  // The language may have changed meanwhile.
  if (language !== currentLanguage()) await loadTexts()
}

async function load(texts: typeof signInTexts | typeof screenTexts, language: LanguageCode): Promise<void> {
  const key = `${language} ${texts === screenTexts ? 'screens' : 'sign-in'}`
  if (loaded.has(key)) return
  addTexts(language, await texts[language]())
  loaded.add(key)
}

/** Changes the language and stores the choice in this browser. */
export async function chooseLanguage(code: LanguageCode): Promise<void> {
  const isShown = await showLanguage(code).then(
    () => true,
    () => false,
  )
  if (isShown) localStorage.setItem(storageKey, code)
}

/** Switches to the language of the signed-in account, unless an application asks for another on this screen. */
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
  await Promise.all([load(signInTexts, code), needsScreenTexts && load(screenTexts, code)])
  changeLanguage(code)
}

/** The current language, as one of the supported codes. */
export function currentLanguage(): LanguageCode {
  return translation().language
}
