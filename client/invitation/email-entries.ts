import { isEmail, normalizeEmail } from '../../shared/identity.ts'

/** More than the maximum number of invitations of an organization needs. */
const maxCharacters = 20_000

/** An email address as it was typed or pasted. */
export type EmailEntry = { text: string; isValid: boolean }

/**
 * Parses email addresses from a text: separated by commas, semicolons, spaces or line breaks, and also in the form
 * `Name Surname <name@example.test>` that mail clients copy. Duplicates are dropped.
 */
export function emailEntriesOf(typed: string): EmailEntry[] {
  const text = typed.slice(0, maxCharacters)
  const found: string[] = []
  // The text in angle brackets is the address. The name before it, with or without quotation marks, is dropped.
  const rest = text.replaceAll(/(?:"[^"]*"\s*|(?<![^<>,;\n"])[^<>,;\n"]*)<([^<>]*)>/g, (_, inner: string) => {
    found.push(inner.trim())
    return ','
  })
  found.push(...rest.split(/[\s,;]+/))
  const all = found.map((one) => one.replaceAll(/^[<"']+|[>"']+$/g, '')).filter((one) => one !== '')
  return [...new Set(all.map(normalizeEmail))].map((one) => ({ text: one, isValid: isEmail(one) }))
}
