import type { Role } from '../../shared/permissions.ts'
import { en } from './texts/en.ts'

type English = typeof en

export type MailKind = keyof English['mails']
export const mailKinds = Object.keys(en.mails).filter((kind): kind is MailKind => kind in en.mails)

/** One kind of mail in one language. */
export type MailText = {
  subject: string
  title: string
  lines: readonly string[]
  /** Label of the button, where the mail has a link. */
  action?: string
  closing: string
}

/** All texts of one language: the keys are those of English. */
export type MailTexts = {
  /** What every mail says. */
  common: Record<keyof English['common'], string>
  roles: Record<Role, string>
  mails: {
    [Kind in MailKind]: MailText & ('action' extends keyof English['mails'][Kind] ? { action: string } : object)
  }
}

/** The names in braces of a text. */
type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
type TextsOf<Kind extends MailKind> = Extract<
  | English['mails'][Kind][keyof English['mails'][Kind]]
  | Extract<English['mails'][Kind]['lines'], readonly string[]>[number],
  string
>

/** What a kind of mail names beside what every mail has, by the placeholders of its English text. */
export type MailValues<Kind extends MailKind> = Record<
  Exclude<Placeholders<TextsOf<Kind>>, 'name' | 'email' | 'until' | 'code'>,
  string
>
