import { isEmail, normalizeEmail } from '../../shared/identity.ts'

/** More than any number of invitations that an organization may have at once. */
const maxCharacters = 20_000

/** An address as it was typed or pasted. */
export type Address = { text: string; isValid: boolean }

/**
 * Reads addresses from a text: separated by commas, semicolons, spaces or line breaks, and each also in the form
 * `Name Surname <name@example.test>` that mail programs copy. Doubles are dropped.
 */
export function addressesOf(typed: string): Address[] {
  const text = typed.slice(0, maxCharacters)
  const found: string[] = []
  // What stands in angle brackets is the address; the name before it, with or without quotation marks, is not needed.
  const rest = text.replaceAll(/(?:"[^"]*"\s*|(?<![^<>,;\n"])[^<>,;\n"]*)<([^<>]*)>/g, (_, inner: string) => {
    found.push(inner.trim())
    return ','
  })
  found.push(...rest.split(/[\s,;]+/))
  const all = found.map((one) => one.replaceAll(/^[<"']+|[>"']+$/g, '')).filter((one) => one !== '')
  return [...new Set(all.map(normalizeEmail))].map((one) => ({ text: one, isValid: isEmail(one) }))
}
