import { type LanguageId, languageById } from '../../shared/language.ts'
import { picturePath } from '../foundation/pictures.ts'
import type { MailKind, MailValues } from './mail-texts.ts'

/** A mail to be stored. `links` may contain secrets: they are stored encrypted and erased after delivery. */
export type Mail = {
  to: string
  kind: MailKind
  language: LanguageId
  data: Record<string, string>
  links: Record<string, string>
  /** The budget that the mail counts towards. Null for reports about past actions, which are always sent. */
  budget: MailBudget | null
  /** A report to the account owner. While the current address is unverified, it goes to the last verified one. */
  isReport: boolean
}

/**
 * Mails that anyone can trigger count towards a budget per address, so that one class cannot exhaust another (SEC-115):
 * password resets; confirmations for signed-in users; verification and sign-up attempts; invitations and notices; what
 * organizations require of their members.
 */
export type MailBudget = 'reset' | 'confirmation' | 'verification' | 'code' | 'step' | 'notice' | 'policy'

/** The recipient of a mail: address, name and language. */
export type Addressee = { email: string; name: string; language: number }

/** The cause of a mail. */
export type Cause = {
  now: Date
  /** User agent of the request, set only if the recipient made it. */
  userAgent?: string | undefined
  link?: string | undefined
  expiresAt?: Date | undefined
  /** Omitted for mails that cannot be triggered at will. */
  budget?: MailBudget
  /** A secret code in the text, encrypted like a link. */
  code?: string
  /** The organization that the mail is about. */
  emblem?: Emblem
}

/** What an organization is recognized by: the colour of its id with its initials, or its picture. */
export type Emblem = { id: string; picture?: string }

/** A logo that is no uploaded picture would tell another server who reads the mail, or call another path of this one. It is not shown. */
export function emblemOf({ id, logo }: { id: string; logo: string | null }, appOrigin: string): Emblem {
  const prefix = `${appOrigin}${picturePath}`
  return logo?.startsWith(prefix) && /^[\w-]+$/.test(logo.slice(prefix.length)) ? { id, picture: logo } : { id }
}

/** Additional placeholder values of this kind, if it has any. */
type Values<Kind extends MailKind> = keyof MailValues<Kind> extends never
  ? { values?: never }
  : { values: MailValues<Kind> }

/** Mails that report an action to the account owner. */
const reports: ReadonlySet<MailKind> = new Set<MailKind>([
  'accountLinked',
  'accountUnlinked',
  'administratorAdded',
  'administratorGranted',
  'administratorRevoked',
  'apiKeyCreated',
  'newDevice',
  'passkeyAdded',
  'passkeyRefused',
  'passkeyRemoved',
  'passwordChanged',
  'recoveryCodesReplaced',
  'recoveryCodeUsed',
  'twoFactorDisabled',
  'twoFactorEnabled',
  'twoFactorRemoval',
  'twoFactorRemovalCanceled',
  'unverifiedFactorsRemoved',
  'usernameChanged',
])

/** Values chosen by users. All others are addresses, roles and built-in names. */
const chosen: ReadonlySet<string> = new Set(['organization', 'actor', 'about', 'newAdministrator', 'username', 'key'])

/** Composes a mail of one kind for the outbox. */
export function composeMail<Kind extends MailKind>(
  kind: Kind,
  { email, name, language }: Addressee,
  cause: Cause & Values<Kind>,
): Mail {
  const { now, userAgent, link, code, expiresAt, emblem, budget = null } = cause
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
      ...(emblem && { emblemId: emblem.id }),
      ...(emblem?.picture !== undefined && { emblemPicture: emblem.picture }),
    },
    links: { ...(link !== undefined && { link }), ...(code !== undefined && { code }) },
    budget,
    isReport: reports.has(kind),
  }
}

/**
 * Sanitizes a name for mails: no control characters, at most 80 characters, nothing mail clients would turn into a link. Browsers read
 * the other full stops of Unicode as dots of a domain too (UTS 46).
 */
export function plainName(name: string): string {
  const clean = [
    ...name
      .normalize('NFKC')
      .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
      .trim(),
  ]
    .slice(0, 80)
    .join('')
  return clean.replace(/:\/\//g, ' ').replace(/[.。．｡](?=\S)/gu, '. ')
}
