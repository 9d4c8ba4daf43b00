import type { LanguageCode } from '../../shared/language.ts'

/** Transliterations of letters that Unicode normalization does not reduce to a–z, for the eight languages. */
const letters = new Map(
  (
    'ß:ss æ:ae œ:oe ø:o ł:l đ:d ı:i ð:d þ:th а:a б:b в:v г:g ґ:g д:d е:e є:ie ж:zh з:z и:i і:i ї:i й:i к:k л:l м:m ' +
    'н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:iu я:ia ё:e'
  )
    .split(' ')
    .map((pair) => pair.split(':'))
    .map(([letter = '', latin = '']) => [letter, latin] as const),
)

/** Language-specific transliterations: German umlauts; Ukrainian г and и (Cabinet Resolution 55 of 2010). */
const ways: Partial<Record<LanguageCode, Record<string, string>>> = {
  de: { ä: 'ae', ö: 'oe', ü: 'ue' },
  uk: { г: 'h', и: 'y' },
}

/** Derives a slug from a name in any of the eight languages: a–z, digits and hyphens, at most 64 characters. */
export function slugFrom(name: string, language: LanguageCode): string {
  const own = ways[language] ?? {}
  return Array.from(name.toLocaleLowerCase(language).normalize('NFC'))
    .map((letter) => own[letter] ?? letters.get(letter) ?? letter.normalize('NFD').replace(/\p{M}/gu, ''))
    .map((letter) => letters.get(letter) ?? letter)
    .join('')
    .replace(/['’ʼ`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '')
}
