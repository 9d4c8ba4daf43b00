import { refuse } from '../foundation/refusal.ts'

/** Deepest nesting of an input; ours need three levels (SEC-80). */
const maxDepth = 32

/** Text that PostgreSQL would refuse, and nesting that nobody means, are refused before anything is done (SEC-43). */
export function rejectMalformedInput(input: unknown, type: string, depth = 0): void {
  const isMalformed = depth > maxDepth || (typeof input === 'string' && (input.includes('\0') || !input.isWellFormed()))
  if (isMalformed) refuse(type === 'query' ? 'INVALID_QUERY' : 'INVALID_BODY')
  if (typeof input !== 'object' || input === null) return
  for (const [name, value] of Object.entries(input)) {
    rejectMalformedInput(name, type, depth)
    rejectMalformedInput(value, type, depth + 1)
  }
}
