import { type LanguageId, languageById } from '../../shared/language.ts'
import type { MailKind, MailValues } from './mail-texts.ts'

/** A mail before it is a row. `links` may hold secrets: they are stored encrypted and erased after delivery. */
export type Mail = {
  to: string
  kind: MailKind
  language: LanguageId
  data: Record<string, string>
  links: Record<string, string>
  /** Which budget of the address it counts for; null for reports of what has happened, which are always sent. */
  budget: MailBudget | null
  /** A report to the owner: it goes to the last verified address while the current one is unverified. */
  isReport: boolean
}

/**
 * Mails that anybody can cause are counted for their address by class, so that one class cannot use up another (SEC-115): a
 * forgotten password; what a signed-in user asked for; verification and sign-up attempts; invitations and notices.
 */
export type MailBudget = 'reset' | 'confirmation' | 'verification' | 'notice'

/** To whom a mail goes: address, name and language. */
export type Addressee = { email: string; name: string; language: number }

/** What caused a mail. */
export type Cause = {
  now: Date
  /** The device that asked, only where it was the addressee's own. */
  userAgent?: string | undefined
  link?: string | undefined
  expiresAt?: Date | undefined
  /** Left out for mails that nobody can cause at will. */
  budget?: MailBudget
  /** A code in the text that opens something: encrypted like a link. */
  code?: string
}

/** What else the text of this kind names, by its placeholders; none where it names nothing else. */
type Values<Kind extends MailKind> = keyof MailValues<Kind> extends never
  ? { values?: never }
  : { values: MailValues<Kind> }

/** Mails that tell the owner of an account what has happened. */
const reports: ReadonlySet<MailKind> = new Set<MailKind>([
  'accountLinked',
  'accountUnlinked',
  'administratorAdded',
  'administratorGranted',
  'administratorRevoked',
  'newDevice',
  'passwordChanged',
  'usernameChanged',
])

/** Values that people have chosen; the others are addresses, roles and names of ours. */
const chosen: ReadonlySet<string> = new Set(['organization', 'actor', 'about', 'newAdministrator'])

/** A mail of one kind, ready for the outbox. */
export function composeMail<Kind extends MailKind>(
  kind: Kind,
  { email, name, language }: Addressee,
  cause: Cause & Values<Kind>,
): Mail {
  const { now, userAgent, link, code, expiresAt, budget = null } = cause
  const values: Record<string, string> = cause.values ?? {}
  const named = Object.entries(values).map(([field, value]) => [field, chosen.has(field) ? plainName(value) : value])
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
      ...Object.fromEntries(named),
    },
    links: { ...(link !== undefined && { link }), ...(code !== undefined && { code }) },
    budget,
    isReport: reports.has(kind),
  }
}

/** A name as it may stand in a mail: no controls, short, and nothing that a mail program would turn into a link. */
export function plainName(name: string): string {
  const clean = [...name.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()].slice(0, 80).join('')
  return clean.replace(/:\/\//g, ' ').replace(/([\p{L}\p{N}])\.(?=[\p{L}\p{N}])/gu, '$1. ')
}
