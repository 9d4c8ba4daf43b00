import { refuse } from '../foundation/refusal.ts'

/** Maximum nesting depth of an input. Valid inputs need three levels (SEC-80). */
const maxDepth = 32

/** Rejects text that PostgreSQL cannot store and excessive nesting, before any work is done (SEC-43). */
export function rejectMalformedInput(input: unknown, type: string, depth = 0): void {
  const isMalformed = depth > maxDepth || (typeof input === 'string' && (input.includes('\0') || !input.isWellFormed()))
  if (isMalformed) refuse(type === 'query' ? 'INVALID_QUERY' : 'INVALID_BODY')
  if (typeof input !== 'object' || input === null) return
  for (const [name, value] of Object.entries(input)) {
    rejectMalformedInput(name, type, depth)
    rejectMalformedInput(value, type, depth + 1)
  }
}
