import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { languageByCode, languages, type LanguageCode } from '../../shared/language.ts'
import { isRecord } from '../foundation/records.ts'
import type { MailTexts } from './mail-texts.ts'
import { de } from './texts/de.ts'
import { en } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import { pl } from './texts/pl.ts'
import { ru } from './texts/ru.ts'
import { tr } from './texts/tr.ts'
import { uk } from './texts/uk.ts'

export type AllMailTexts = Record<LanguageCode, MailTexts>

/** The texts of all languages included in Foyer. */
export const standardTexts: AllMailTexts = { en, de, es, fr, pl, tr, uk, ru }

/** Placeholders of every email, in addition to those of its kind. */
const common = ['name', 'email', 'until']

const Line = z.string().min(1).max(2000)
/** Replacement texts for one kind. `action` only where the email has a button. */
const CustomText = z.strictObject({
  subject: Line.regex(/^[^\r\n]+$/).optional(),
  title: Line.optional(),
  lines: z.array(Line).min(1).max(20).optional(),
  action: Line.max(100).optional(),
  closing: Line.optional(),
})

/**
 * Reads the operator's own texts: a folder with one file per customized language, such as de.json, in the shape of
 * server/mail/texts, with only the texts that differ. Returns all texts, and the problems found, each with its file and
 * key.
 */
export function readMailTexts(folder: string | undefined): { texts: AllMailTexts; problems: string[] } {
  if (folder === undefined) return { texts: standardTexts, problems: [] }
  const texts = { ...standardTexts }
  const problems: string[] = []
  let files: string[]
  try {
    files = readdirSync(folder)
  } catch {
    return { texts, problems: [`${folder} cannot be read`] }
  }
  for (const file of files.toSorted()) {
    if (file.startsWith('.')) continue
    const code = languageByCode(file.replace(/\.json$/, ''))?.code
    if (code === undefined || !file.endsWith('.json')) {
      problems.push(`${file}: is not a language file, such as ${languages.map((one) => `${one.code}.json`).join(', ')}`)
      continue
    }
    const own = readJson(join(folder, file))
    if (!isRecord(own)) problems.push(`${file}: is not a JSON object`)
    else texts[code] = merge(standardTexts[code], own, (problem) => void problems.push(`${file}: ${problem}`))
  }
  return { texts, problems }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

type Report = (problem: string) => void

function merge(standard: MailTexts, own: Record<string, unknown>, report: Report): MailTexts {
  const merged: MailTexts = { ...standard, mails: { ...standard.mails } }
  for (const [group, value] of Object.entries(own)) {
    if (group === 'mails' && isRecord(value)) {
      for (const [kind, text] of Object.entries(value)) mergeMail(merged, kind, text, report)
    } else if ((group === 'common' || group === 'roles') && isRecord(value)) {
      for (const [key, text] of Object.entries(value)) {
        if (!Object.hasOwn(standard[group], key)) report(`${group}.${key}: does not exist`)
        else if (!Line.safeParse(text).success) report(`${group}.${key}: is not a text`)
        else Object.assign(merged, { [group]: { ...merged[group], [key]: text } })
      }
    } else report(`${group}: is not one of mails, common and roles, or not an object`)
  }
  return merged
}

function mergeMail(texts: MailTexts, kind: string, value: unknown, report: Report): void {
  const known = Object.entries(texts.mails).find(([name]) => name === kind)?.[1]
  if (!known) {
    report(`mails.${kind}: unknown email kind`)
    return
  }
  const parsed = CustomText.safeParse(value)
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) report(`${['mails', kind, ...path].join('.')}: ${message}`)
    return
  }
  if (parsed.data.action !== undefined && !('action' in known)) report(`mails.${kind}.action: this email has no button`)
  const allowed = new Set([...common, ...placeholdersOf(Object.entries(en.mails).find(([name]) => name === kind)?.[1])])
  for (const [key, text] of Object.entries(parsed.data)) {
    for (const name of placeholdersOf(text)) {
      if (!allowed.has(name))
        report(`mails.${kind}.${key}: {${name}} is an unknown placeholder; allowed: ${[...allowed].join(', ')}`)
    }
  }
  const merged = { ...known, ...parsed.data }
  // Without the code the email would be useless.
  if (allowed.has('code') && !placeholdersOf(merged).includes('code')) report(`mails.${kind}: has no {code}`)
  Object.assign(texts.mails, { [kind]: merged })
}

function placeholdersOf(text: unknown): string[] {
  return [...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])
}
