import { z } from 'zod'
import type { Brand } from '../../shared/brand.ts'
import { languageById } from '../../shared/language.ts'
import { decrypt, encrypt, type KeyList } from '../foundation/crypto.ts'
import type { AllMailTexts } from './custom-texts.ts'
import { layoutMail, type MailContent } from './layout.ts'
import { mailKinds } from './mail-texts.ts'
import { renderMail } from './templates.ts'

/** Shown in place of a link or a code. */
const hidden = '••••••'

const Links = z.record(z.string(), z.string())
const StoredData = z.object({ sealed: z.string().optional() }).catchall(z.string())

/** An email as it is stored: its values, and its links encrypted. */
type StoredMail = { id: string; kind: string; language: number; data: unknown }

export type MailCodec = ReturnType<typeof createMailCodec>

/** Reads and writes the data of stored emails. Their links and codes are encrypted, and erased after the delivery. */
export function createMailCodec({
  storageKeys,
  brand,
  texts,
}: {
  storageKeys: KeyList
  brand: Brand
  texts: AllMailTexts
}) {
  return {
    /** Renders a stored email, including its links if they have not been erased. */
    read(mail: StoredMail): MailContent & { html: string; text: string } {
      const { sealed, ...data } = StoredData.parse(mail.data)
      const opened = sealed === undefined ? undefined : decrypt(storageKeys, sealed, mail.id)
      const language = languageById(mail.language)
      const links = opened === undefined ? {} : Links.parse(JSON.parse(opened))
      const content = renderMail(mail.kind, { ...data, ...links }, language, texts)
      return { ...content, ...layoutMail(content, language, brand) }
    },

    /** Subject and text of a stored email for people other than its recipient. Links and codes are hidden. */
    preview({ kind, language, data }: Omit<StoredMail, 'id'>) {
      const { sealed: _hidden, ...values } = StoredData.parse(data)
      // A kind from an earlier version no longer has a text.
      if (!mailKinds.some((known) => known === kind)) return { subject: kind, text: '' }
      const content = renderMail(kind, { ...values, link: hidden, code: hidden }, languageById(language), texts)
      return { subject: content.subject, text: layoutMail(content, languageById(language), brand).text }
    },

    /** The data of a new email as text. */
    seal(id: string, data: object, links: object): string {
      return JSON.stringify({ ...data, sealed: encrypt(storageKeys, JSON.stringify(links), id) })
    },
  }
}

/** The data of an email without its links. */
export function withoutLinks(data: unknown): Record<string, string | undefined> {
  const { sealed: _erased, ...kept } = StoredData.parse(data)
  return kept
}
