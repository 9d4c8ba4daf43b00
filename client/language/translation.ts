import { useSyncExternalStore } from 'react'
import { english, type LanguageCode } from '../../shared/language.ts'
import { brand } from './brand.ts'
import type { Texts } from './texts.ts'

type KeyOf<Tree> = {
  [key in keyof Tree & string]: Tree[key] extends string ? key : `${key}.${KeyOf<Tree[key]>}`
}[keyof Tree & string]

/** The path of a text in the catalogue, such as `signIn.title`. */
export type TextKey = KeyOf<Texts>

/** The values of the placeholders of a text, such as `{{name}}`. `{{product}}` is always the product's name. */
export type TextValues = Readonly<Record<string, string | number | null | undefined>>

export type Translate = (key: TextKey, values?: TextValues) => string

type Tree = { readonly [key: string]: string | Tree }
type Translation = { language: LanguageCode; t: Translate }

const catalogues = new Map<LanguageCode, Tree>()
const listeners = new Set<() => void>()

/** Replaced by each change, so that React sees it. */
let current = translationTo(english.code)

function translationTo(language: LanguageCode): Translation {
  const t: Translate = (key, values) => fill(textAt(language, key) ?? textAt(english.code, key) ?? key, values)
  return { language, t }
}

function textAt(language: LanguageCode, key: string): string | undefined {
  let found: string | Tree | undefined = catalogues.get(language)
  for (const part of key.split('.')) found = typeof found === 'object' ? found[part] : undefined
  return typeof found === 'string' ? found : undefined
}

function fill(text: string, values: TextValues = {}): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) =>
    String(values[name] ?? (name === 'product' ? brand.product : '')),
  )
}

/** Whether there is a text, for keys that another program determines, such as a newer server. */
export function hasText(key: string): key is TextKey {
  return (textAt(current.language, key) ?? textAt(english.code, key)) !== undefined
}

/** Adds texts to those of a language. Groups on the first level are merged. */
export function addTexts(language: LanguageCode, texts: Tree): void {
  const merged: Record<string, string | Tree> = { ...catalogues.get(language) }
  for (const [group, added] of Object.entries(texts)) {
    const known = merged[group]
    merged[group] = typeof added === 'object' && typeof known === 'object' ? { ...known, ...added } : added
  }
  catalogues.set(language, merged)
  changeLanguage(current.language)
}

/** Shows all texts in a language. Texts that it lacks, or has not loaded, are shown in English. */
export function changeLanguage(language: LanguageCode): void {
  current = translationTo(language)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const read = () => current

/** The texts in the current language. Components are rendered again when it changes. */
export function useTranslation(): Translation {
  return useSyncExternalStore(subscribe, read, read)
}

/** The texts in the current language, outside of components. */
export function translation(): Translation {
  return current
}
