/** What became of one line. */
export type Outcome = {
  /** Number of the line, from 1. */
  line: number
  /** Address or slug, to recognize it by. */
  about: string
  result: 'imported' | 'existing' | 'skipped'
  /** Why it was skipped, or what of it was left out. */
  notes: string[]
  /** The user that the line is about, if it has an id or is there already. */
  id?: string | undefined
  /** The id of the line, if it belongs to somebody else here: other lines do not mean that one. */
  refusedId?: string
}

/** A line that was read and is to be imported. */
export type Numbered<Line> = { line: number; value: Line }
