import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { english, languageByCode, languageById, type LanguageCode } from '../../shared/language.ts'
import { en, type Texts } from './en.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'texts'
    resources: { texts: Texts }
  }
}

/** English comes with the page, because it is the last resort; the others when they are asked for. */
const catalogues: Record<LanguageCode, () => Promise<Texts>> = {
  en: () => Promise.resolve(en),
  de: () => import('./de.ts').then(({ de }) => de),
  es: () => import('./es.ts').then(({ es }) => es),
  fr: () => import('./fr.ts').then(({ fr }) => fr),
  pl: () => import('./pl.ts').then(({ pl }) => pl),
  tr: () => import('./tr.ts').then(({ tr }) => tr),
  uk: () => import('./uk.ts').then(({ uk }) => uk),
  ru: () => import('./ru.ts').then(({ ru }) => ru),
}

/** Where the reader's own choice is kept. */
const storageKey = 'foyer.language'

export const i18n = createInstance()

/** Begins in the language that was chosen here, else in the first of the browser's that Foyer speaks. */
export async function startLanguage(): Promise<void> {
  await i18n.use(initReactI18next).init({
    lng: english.code,
    fallbackLng: english.code,
    defaultNS: 'texts',
    resources: { en: { texts: en } },
    interpolation: { escapeValue: false },
  })
  const wishes = [localStorage.getItem(storageKey) ?? '', ...navigator.languages]
  const wished = wishes.map((tag) => languageByCode(tag.split('-')[0] ?? '')).find((language) => language !== undefined)
  // Without its file a language cannot be shown; English is here already.
  await showLanguage(wished?.code ?? english.code).catch(() => {})
}

/** Changes the language of all screens and remembers it here. */
export async function chooseLanguage(code: LanguageCode): Promise<void> {
  const isShown = await showLanguage(code).then(
    () => true,
    () => false,
  )
  if (isShown) localStorage.setItem(storageKey, code)
}

/** Whoever is signed in is spoken to in the language of the account (R30). */
export async function followAccount(id: number): Promise<void> {
  const { code } = languageById(id)
  if (code !== currentLanguage()) await chooseLanguage(code)
}

async function showLanguage(code: LanguageCode): Promise<void> {
  if (!i18n.hasResourceBundle(code, 'texts')) i18n.addResourceBundle(code, 'texts', await catalogues[code]())
  await i18n.changeLanguage(code)
  document.documentElement.lang = code
}

/** The language of the screens, as one of ours. */
export function currentLanguage(): LanguageCode {
  return languageByCode(i18n.language)?.code ?? english.code
}
