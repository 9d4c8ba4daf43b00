import { languageById, type LanguageId } from '../../shared/language.ts'
import { picturePath } from '../foundation/pictures.ts'
import type { MailKind, MailValues } from './mail-texts.ts'

/** An email to be stored. `links` may contain secrets: they are stored encrypted and erased after delivery. */
export type Mail = {
  to: string
  kind: MailKind
  language: LanguageId
  data: Record<string, string>
  links: Record<string, string>
  /**
   * The budget that the email counts towards. Null for emails that cannot be triggered at will, which are limited only
   * at addresses that were never verified.
   */
  budget: MailBudget | null
  /** A report to the account owner. While the current email address is unverified, it goes to the last verified one. */
  isReport: boolean
}

/**
 * Emails that anyone can trigger count towards a budget per email address, so that one class cannot exhaust another
 * (SEC-115): password resets; confirmations for signed-in users; verification and sign-up attempts; sign-in codes;
 * second steps; invitations and notices; requirements of organizations on their members.
 */
type MailBudget = 'reset' | 'confirmation' | 'verification' | 'code' | 'step' | 'notice' | 'policy'

/** The recipient of an email: email address, name and language. */
export type MailRecipient = { email: string; name: string; language: number }

/** What an email needs besides its recipient: the time, a link or code, and the values of its placeholders. */
export type MailContext = {
  now: Date
  /** User agent of the request. Set only if the recipient made it. */
  userAgent?: string | undefined
  link?: string | undefined
  expiresAt?: Date | undefined
  /** Omitted for emails that cannot be triggered at will. */
  budget?: MailBudget
  /** A secret code in the text, encrypted like a link. */
  code?: string
  /** The organization that the email is about. */
  avatar?: OrganizationAvatar
}

/** The mark that identifies an organization: its initials on the color of its id, or its picture. */
type OrganizationAvatar = { id: string; picture?: string }

/**
 * A logo is shown only if it is an uploaded picture. Any other URL would reveal to another server who reads the email,
 * or would call another path of this one.
 */
export function organizationAvatar(
  { id, logo }: { id: string; logo: string | null },
  appOrigin: string,
): OrganizationAvatar {
  const prefix = `${appOrigin}${picturePath}`
  return logo?.startsWith(prefix) && /^[\w-]+$/.test(logo.slice(prefix.length)) ? { id, picture: logo } : { id }
}

/** Additional placeholder values of this kind, if it has any. */
type Values<Kind extends MailKind> = keyof MailValues<Kind> extends never
  ? { values?: never }
  : { values: MailValues<Kind> }

/**
 * Whether an email of this kind reports an action to the account owner. While the owner has an unverified email
 * address, reports go to the last verified one, and all others to the address that they are about.
 */
const isReport: Readonly<Record<MailKind, boolean>> = {
  verifyEmail: false,
  signUpAttempt: false,
  resetPassword: false,
  passwordChanged: true,
  confirmEmailChange: false,
  emailChanged: false,
  confirmDeletion: false,
  deleted: false,
  apiKeyCreated: true,
  twoFactorEnabled: true,
  twoFactorDisabled: true,
  recoveryCodesReplaced: true,
  recoveryCodeUsed: true,
  signInCode: false,
  verificationCode: false,
  resetCode: false,
  signInLink: false,
  passkeyAdded: true,
  passkeyRemoved: true,
  passkeyRefused: true,
  twoFactorRemovalCanceled: true,
  unverifiedFactorsRemoved: true,
  twoFactorRemoval: true,
  secondStepCode: false,
  secondStepFailed: true,
  endpointDisabled: false,
  endpointGone: false,
  accountLinked: true,
  accountUnlinked: true,
  usernameChanged: true,
  confirmIdentity: false,
  emailChangeRejected: false,
  accountCreated: true,
  administratorGranted: true,
  administratorAdded: true,
  administratorRevoked: true,
  newDevice: true,
  roleChanged: false,
  secondFactorRequired: false,
  memberRemoved: false,
  ownershipReceived: false,
  invitation: false,
  invitationAccepted: false,
  paymentFailed: false,
  subscriptionPastDue: false,
  trialEnding: false,
  subscriptionOnHold: false,
  subscriptionEnded: false,
}

/**
 * Values that are not sanitized: email addresses, which have the form of one but may have been entered by anyone,
 * roles, numbers and built-in names.
 */
const trusted: ReadonlySet<string> = new Set([
  'host',
  'inviteeEmail',
  'left',
  'newAdministratorEmail',
  'newEmail',
  'passkeys',
  'provider',
  'role',
])

/** Composes an email of one kind for the outbox. */
export function composeMail<Kind extends MailKind>(
  kind: Kind,
  { email, name, language }: MailRecipient,
  context: MailContext & Values<Kind>,
): Mail {
  const { now, userAgent, link, code, expiresAt, avatar, budget = null } = context
  const values: Record<string, string> = context.values ?? {}
  const named = Object.entries(values).map(([field, value]) => [field, trusted.has(field) ? value : plainName(value)])
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
      ...(avatar && { avatarId: avatar.id }),
      ...(avatar?.picture !== undefined && { avatarPicture: avatar.picture }),
    },
    links: { ...(link !== undefined && { link }), ...(code !== undefined && { code }) },
    budget,
    isReport: isReport[kind],
  }
}

/**
 * Sanitizes a name for emails: no control characters, at most 80 characters, and nothing that email clients would turn
 * into a link. Browsers treat the other full stops of Unicode as dots of a domain too (UTS 46).
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
