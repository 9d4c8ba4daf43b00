/** A prepared statement with its values, as pg takes it. */
export type NamedStatement = { name: string; text: string; values: unknown[] }

/** A parameter such as `:userId`. Casts (`::jsonb`) and the colons of time formats are none. */
const parameter = /(?<![:\w]):([a-z]\w*)/gi

/**
 * Defines a prepared statement with named parameters: `:userId` in the text takes the value of `userId`, at every
 * place. PostgreSQL itself numbers parameters, which cannot be read any more beyond a few. pg plans each `name` once per
 * connection.
 *
 * Throws when it is used without one of its parameters. `undefined` is stored as null.
 */
export function statement(name: string, text: string): (parameters: Record<string, unknown>) => NamedStatement {
  const names: string[] = []
  const numbered = text.replace(parameter, (_found, key: string) => {
    if (!names.includes(key)) names.push(key)
    return `$${names.indexOf(key) + 1}`
  })
  return (parameters) => ({
    name,
    text: numbered,
    values: names.map((key) => {
      if (!(key in parameters)) throw new Error(`The statement ${name} needs the parameter ${key}`)
      return parameters[key]
    }),
  })
}
