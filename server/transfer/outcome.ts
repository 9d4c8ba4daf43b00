/** The outcome of one line. */
export type Outcome = {
  /** Number of the line, from 1. */
  line: number
  /** Email address or slug, to recognize the line by. */
  about: string
  result: 'imported' | 'existing' | 'skipped'
  /** Why the line was skipped, or which fields of it were left out. */
  notes: string[]
  /** The user that the line is about, if it has an id or exists already. */
  id?: string | undefined
  /** The id in the line, if it belongs to another user here: other lines then do not refer to that user. */
  refusedId?: string
}

/** A parsed line that is to be imported. */
export type Numbered<Line> = { line: number; value: Line }
