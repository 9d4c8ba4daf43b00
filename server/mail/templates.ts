import type { Language } from '../../shared/language.ts'
import { rolesOf } from '../../shared/permissions.ts'
import { hueOf, initialsOf } from '../../shared/theme.ts'
import { browserAndSystemOf } from '../foundation/user-agent.ts'
import { type AllMailTexts, standardTexts } from './custom-texts.ts'
import type { MailContent } from './layout.ts'
import { type MailKind, mailKinds, type MailText, type MailTexts } from './mail-texts.ts'

/** Renders the text of a stored email. */
export function renderMail(
  kind: string,
  stored: Record<string, string>,
  language: Language,
  texts: AllMailTexts = standardTexts,
): MailContent {
  const { mails, roles, common } = texts[language.code]
  const text = mailKinds.find((known) => known === kind)
  if (!text) throw new Error(`Unknown email kind ${kind}`)
  const values = { ...stored }
  // Roles are stored as keys of the permission table.
  if (stored['role'] !== undefined)
    values['role'] = rolesOf(stored['role'])
      .map((role) => roles[role])
      .join(', ')
  if (stored['provider'] === 'credential') values['provider'] = common.password
  if (stored['until'] !== undefined) values['until'] = formatMoment(stored['until'], language)
  const fill = (template: string) => template.replace(/\{(\w+)\}/g, (_, field: string) => values[field] ?? '')
  const { subject, title, lines, action, closing }: MailText = mails[text]
  const content: MailContent = {
    subject: fill(subject),
    title: fill(title),
    lines: lines.map(fill),
    details: detailsOf(stored, language, common),
    closing: fill(closing),
    ...avatarFrom(stored),
  }
  // The link is erased after delivery. The email is then rendered without its button.
  const { link } = stored
  if (!action || !link) return content
  return { ...content, action: { label: fill(action), link, hint: common.hint } }
}

/** The avatar of the organization that an email is about. Emails stored by earlier versions have none. */
function avatarFrom({
  avatarId,
  avatarPicture,
  organization = '',
}: Record<string, string>): Pick<MailContent, 'avatar'> {
  if (avatarId === undefined) return {}
  return { avatar: { initials: initialsOf(organization), hue: hueOf(avatarId), picture: avatarPicture } }
}

/**
 * The time of the request, in UTC and in the recipient's language, and the device if the recipient made the request.
 */
function detailsOf(
  { at, userAgent }: Record<string, string>,
  language: Language,
  { when, device, unknownDevice }: MailTexts['common'],
): [string, string][] {
  if (userAgent === undefined) return [[when, formatMoment(at, language)]]
  const { browser, system } = browserAndSystemOf(userAgent)
  const name = [browser, system].filter(Boolean).join(' · ')
  return [
    [when, formatMoment(at, language)],
    [device, name || unknownDevice],
  ]
}

/** Formats a time for this language, in UTC because the recipient's time zone is unknown. */
function formatMoment(time: string | undefined, { code }: Language): string {
  const format = (style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(code, { ...style, timeZone: 'UTC' }).format(new Date(time ?? 0))
  // Date and time are formatted separately, because some languages would decline the joined form incorrectly.
  return `${format({ dateStyle: 'long' })}, ${format({ timeStyle: 'short' })} UTC`
}

/** Sample values of the placeholders of all emails. */
export const sampleValues = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  at: '2026-01-02T15:04:05.000Z',
  until: '2026-01-03T15:04:05.000Z',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  about: 'Acme',
  actor: 'Grace Hopper',
  inviteeEmail: 'alan@example.com',
  code: '123456',
  key: 'Deployment',
  newAdministrator: 'Grace Hopper',
  newAdministratorEmail: 'grace@example.com',
  newEmail: 'ada@example.org',
  organization: 'Acme',
  provider: 'GitHub',
  role: 'member',
  host: 'hooks.example.com',
  left: '3',
  passkeys: '2',
  username: 'ada',
}

/** An email of one kind with sample values, for previewing its text. */
export function sampleOf(kind: MailKind, language: Language, texts: AllMailTexts, appOrigin: string): MailContent {
  const values = {
    ...sampleValues,
    link: `${appOrigin}/`,
    ...(JSON.stringify(texts[language.code].mails[kind]).includes('{organization}') && { avatarId: 'acme' }),
  }
  return renderMail(kind, values, language, texts)
}
