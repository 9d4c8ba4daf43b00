/**
 * The languages, with the ids that the REST contract and the database have, and that VK uses as `lang_id`. `code` is
 * BCP 47, `name` is the language's own name.
 */
export const languages = [
  { id: 3, code: 'en', name: 'English' },
  { id: 6, code: 'de', name: 'Deutsch' },
  { id: 4, code: 'es', name: 'Español' },
  { id: 16, code: 'fr', name: 'Français' },
  { id: 15, code: 'pl', name: 'Polski' },
  { id: 82, code: 'tr', name: 'Türkçe' },
  { id: 1, code: 'uk', name: 'Українська' },
  { id: 0, code: 'ru', name: 'Русский' },
] as const

export type Language = (typeof languages)[number]
export type LanguageId = Language['id']
export type LanguageCode = Language['code']

export const english = languages[0]

export function languageById(id: number): Language {
  return languages.find((language) => language.id === id) ?? english
}

export function languageByCode(code: string): Language | undefined {
  return languages.find((language) => language.code === code)
}

/** The supported language with the highest weight in the Accept-Language header (RFC 9110 §12.5.4), else English. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return english
  const requested = acceptLanguage
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().split(';')
      const weight = parameters.map((text) => /^\s*q=([\d.]+)/.exec(text)?.[1]).find((text) => text !== undefined)
      return { code: tag.split('-')[0]?.toLowerCase() ?? '', weight: Number(weight ?? 1) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  for (const { code } of requested) {
    const language = languageByCode(code)
    if (language) return language
  }
  return english
}
