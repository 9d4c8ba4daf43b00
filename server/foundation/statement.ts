import { isRecord } from './records.ts'

/** A prepared statement with its values, as pg takes it. */
export type NamedStatement = { name: string; text: string; values: unknown[] }

/**
 * Strings, quoted names and comments to the end of a line, which are skipped; or a parameter such as `:userId` or
 * `:event.id`, but no cast (`::jsonb`). Block comments, escape strings and dollar quotes are not recognized.
 */
const token = /'[^']*'|"[^"]*"|--[^\n]*|(?<![:\w]):([a-z]\w*(?:\.[a-z]\w*)?)/gi

/**
 * Defines a prepared statement with named parameters: `:userId` in the text takes the value of `userId`, at every
 * place, and `:event.id` that of the field `id` of `event`. PostgreSQL itself numbers parameters, which are hard to
 * follow beyond a few. pg plans each `name` once per connection.
 *
 * Pass what belongs together as one object, and let a spread stand last in a literal: V8 adds each field that follows a
 * spread by itself, which took 40 µs and much garbage collection for 34 fields (measured, Node.js 20).
 *
 * Throws when an object is used both as a whole and by its fields, which would be a mistake, and when the statement is
 * run without one of its parameters. `undefined` is stored as null.
 */
export function statement(name: string, text: string): (parameters: Record<string, unknown>) => NamedStatement {
  const numbers = new Map<string, number>()
  const numbered = text.replace(token, (found, key: string | undefined) => {
    if (key === undefined) return found
    const number = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, number)
    return `$${number}`
  })
  const paths = [...numbers.keys()].map((path) => ({ path, parts: path.split('.') }))
  const mixed = paths.find(({ parts: [first = '', field] }) => field !== undefined && numbers.has(first))
  if (mixed) throw new Error(`The statement ${name} uses ${mixed.parts[0]} as a whole and by its fields`)
  return (parameters) => ({
    name,
    text: numbered,
    values: paths.map(({ path, parts: [first = '', field] }) => {
      const source = field === undefined ? parameters : parameters[first]
      const property = field ?? first
      if (isRecord(source) && property in source) return source[property]
      throw new Error(`The statement ${name} needs the parameter ${path}`)
    }),
  })
}

/** The statement, returning each row as an array of its columns. */
export function asArrays({ name, text, values }: NamedStatement) {
  return { name, text, values, rowMode: 'array' as const }
}
