import { languageById, type Language, type LanguageCode } from '../../shared/language.ts'
import { plainName, type Letter } from './letter.ts'
import { deviceOf } from './device.ts'
import type { Mail, MailBudget, Wording } from './mail.ts'

/** To whom a mail goes: address, name and language. */
export type Addressee = { email: string; name: string; language: number }

/** What caused a mail, and what its words need. */
export type Cause = {
  now: Date
  /** The device that asked, where it was the addressee's own; another's is nobody's business. */
  userAgent?: string | undefined
  link?: string | undefined
  expiresAt?: Date | undefined
  /** Somebody can cause it at will: counted for the address (SEC-27). */
  budget?: MailBudget
  /** What stands in the text and opens something: sealed like a link. */
  code?: string
  /** What else the words speak of; names of people and things have gone through `plainName`. */
  values?: Record<string, string>
}

/** A mail of one kind before it is a row. */
export function mailOf(kind: string, { email, name, language }: Addressee, cause: Cause, isReport = false): Mail {
  const { now, userAgent, link, code, expiresAt, budget = null, values = {} } = cause
  return {
    kind,
    to: email,
    language: languageById(language).id,
    data: {
      name: plainName(name),
      email,
      at: now.toISOString(),
      ...(userAgent !== undefined && { userAgent }),
      ...(expiresAt && { until: expiresAt.toISOString() }),
      ...values,
    },
    links: { ...(link !== undefined && { link }), ...(code !== undefined && { code }) },
    budget,
    isReport,
  }
}

/** One kind of mail in one language. `{name}` and its like are filled in from the mail's values. */
export type Text = {
  subject: string
  title: string
  lines: string[]
  /** Label of the button, where the mail has a link. */
  action?: string
  closing: string
}

type Values = Record<string, string>

/**
 * A kind of mail from its texts: a language that is missing does not compile. `say` puts values into the language's words
 * that are stored as keys.
 */
export function wording(
  texts: Record<LanguageCode, Text>,
  say: (values: Values, language: Language) => Values = (values) => values,
): Wording {
  return (stored, language) => {
    const values = say(stored, language)
    const { subject, title, lines, action, closing } = texts[language.code]
    const fill = (text: string) =>
      text.replace(/\{(\w+)\}/g, (_, field: string) =>
        field === 'until' ? momentOf(values['until'], language) : (values[field] ?? ''),
      )
    const letter: Letter = {
      subject: fill(subject),
      title: fill(title),
      lines: lines.map(fill),
      details: detailsOf(values, language),
      closing: fill(closing),
    }
    // After delivery the link is erased and the letter stands without its button.
    if (!action || !values['link']) return letter
    return { ...letter, action: { label: fill(action), link: values['link'], hint: common[language.code].hint } }
  }
}

/** When it was asked for and with which device if it was the reader's, in the reader's language and in UTC. */
function detailsOf({ at, userAgent }: Record<string, string>, language: Language): [string, string][] {
  const { when, device, unknownDevice } = common[language.code]
  if (userAgent === undefined) return [[when, momentOf(at, language)]]
  const { browser, system } = deviceOf(userAgent)
  const name = [browser, system].filter(Boolean).join(' · ')
  return [
    [when, momentOf(at, language)],
    [device, name || unknownDevice],
  ]
}

/** A time as people of this language write it; in UTC, because a mail does not know where it is read. */
function momentOf(time: string | undefined, { code }: Language): string {
  const say = (style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(code, { ...style, timeZone: 'UTC' }).format(new Date(time ?? 0))
  // Apart, because the languages that decline would join them wrongly behind a preposition.
  return `${say({ dateStyle: 'long' })}, ${say({ timeStyle: 'short' })} UTC`
}

/** What every mail says. */
const common: Record<LanguageCode, { when: string; device: string; unknownDevice: string; hint: string }> = {
  en: {
    when: 'When',
    device: 'Device',
    unknownDevice: 'Unknown',
    hint: 'If the button does not work, open this address:',
  },
  de: {
    when: 'Zeitpunkt',
    device: 'Gerät',
    unknownDevice: 'Unbekannt',
    hint: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  },
  es: {
    when: 'Cuándo',
    device: 'Dispositivo',
    unknownDevice: 'Desconocido',
    hint: 'Si el botón no funciona, abre esta dirección:',
  },
  fr: {
    when: 'Quand',
    device: 'Appareil',
    unknownDevice: 'Inconnu',
    hint: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  },
  pl: {
    when: 'Kiedy',
    device: 'Urządzenie',
    unknownDevice: 'Nieznane',
    hint: 'Jeśli przycisk nie działa, należy otworzyć ten adres:',
  },
  tr: { when: 'Zaman', device: 'Cihaz', unknownDevice: 'Bilinmiyor', hint: 'Düğme çalışmazsa şu adresi açın:' },
  uk: {
    when: 'Коли',
    device: 'Пристрій',
    unknownDevice: 'Невідомий',
    hint: 'Якщо кнопка не працює, відкрийте цю адресу:',
  },
  ru: {
    when: 'Когда',
    device: 'Устройство',
    unknownDevice: 'Неизвестно',
    hint: 'Если кнопка не работает, откройте этот адрес:',
  },
}
