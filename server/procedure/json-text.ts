/**
 * An answer that is JSON text already, such as a list that PostgreSQL has written: REST sends it as it stands, tRPC embeds
 * it. Reading the text and writing it again costs a third of the CPU of a call that every page makes (measured).
 */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** What JSON.stringify embeds. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/**
 * JSON text as the answer of a procedure. Its type is what the text holds, because that is what every client gets; the
 * procedure names the schema in `meta.answers`, for the documentation and for the tests that hold the text against it.
 */
export function jsonText<Value>(text: string): Value {
  const answer: unknown = new JsonText(text)
  return answer as Value
}
