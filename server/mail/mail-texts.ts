import type { Role } from '../../shared/permissions.ts'
import { en } from './texts/en.ts'

type English = typeof en

export type MailKind = keyof English['mails']
export const mailKinds = Object.keys(en.mails).filter((kind): kind is MailKind => kind in en.mails)

/** The texts of one kind of email in one language. */
export type MailText = {
  subject: string
  title: string
  lines: readonly string[]
  /** Label of the button, if the email has a link. */
  action?: string
  closing: string
}

/** All texts of one language, with the same keys as the English texts. */
export type MailTexts = {
  /** Texts shared by all emails. */
  common: Record<keyof English['common'], string>
  roles: Record<Role, string>
  mails: {
    [Kind in MailKind]: MailText & ('action' extends keyof English['mails'][Kind] ? { action: string } : object)
  }
}

/** Extracts the placeholder names from a text. */
type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
type TextsOf<Kind extends MailKind> = Extract<
  | English['mails'][Kind][keyof English['mails'][Kind]]
  | Extract<English['mails'][Kind]['lines'], readonly string[]>[number],
  string
>

/** Values for the placeholders in the English text of this kind, except those common to all emails. */
export type MailValues<Kind extends MailKind> = Record<
  Exclude<Placeholders<TextsOf<Kind>>, 'name' | 'email' | 'until' | 'code'>,
  string
>
