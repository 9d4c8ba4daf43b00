/** A prepared statement with its values, as pg takes it. */
export type NamedStatement = { name: string; text: string; values: unknown[] }

/**
 * Strings, quoted names and comments to the end of a line, which are skipped; or a parameter such as `:userId`, but no
 * cast (`::jsonb`). Block comments, escape strings and dollar quotes are not recognized.
 */
const token = /'[^']*'|"[^"]*"|--[^\n]*|(?<![:\w]):([a-z]\w*)/gi

/**
 * Defines a prepared statement with named parameters: `:userId` in the text takes the value of `userId`, at every
 * place. PostgreSQL itself numbers parameters, which are hard to follow beyond a few. pg plans each `name` once per
 * connection.
 *
 * Throws when it is used without one of its parameters. `undefined` is stored as null.
 */
export function statement(name: string, text: string): (parameters: Record<string, unknown>) => NamedStatement {
  const numbers = new Map<string, number>()
  const numbered = text.replace(token, (found, key: string | undefined) => {
    if (key === undefined) return found
    const number = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, number)
    return `$${number}`
  })
  const keys = [...numbers.keys()]
  return (parameters) => ({
    name,
    text: numbered,
    values: keys.map((key) => {
      if (!(key in parameters)) throw new Error(`The statement ${name} needs the parameter ${key}`)
      return parameters[key]
    }),
  })
}
