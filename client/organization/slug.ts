import type { LanguageCode } from '../../shared/language.ts'

/** Letters that no decomposition turns into a to z, as the eight languages write them in addresses. */
const letters = new Map(
  (
    'ß:ss æ:ae œ:oe ø:o ł:l đ:d ı:i ð:d þ:th а:a б:b в:v г:g ґ:g д:d е:e є:ie ж:zh з:z и:i і:i ї:i й:i к:k л:l м:m ' +
    'н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:iu я:ia ё:e'
  )
    .split(' ')
    .map((pair) => pair.split(':'))
    .map(([letter = '', latin = '']) => [letter, latin] as const),
)

/** What a language writes in its own way: German umlauts with an e, the Ukrainian г and и (resolution 55 of 2010). */
const ways: Partial<Record<LanguageCode, Record<string, string>>> = {
  de: { ä: 'ae', ö: 'oe', ü: 'ue' },
  uk: { г: 'h', и: 'y' },
}

/** An address made from a name in any of the eight alphabets: letters a to z, digits, hyphens; at most 64 characters. */
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
