import { randomUUID } from 'node:crypto'

/** The counter has twelve bits. */
const maxSequence = 0xfff

let lastMs = 0
let sequence = 0

/** A UUIDv7 (RFC 9562, 6.2 method 1). Ids of one process are ascending, even within one millisecond. */
export function newEventId(now: Date): string {
  // Requests may record out of order of their `now`: ids follow the order of recording.
  const isNext = now.getTime() > lastMs
  sequence = isNext ? 0 : (sequence + 1) & maxSequence
  // An exhausted counter continues in the next millisecond.
  lastMs = isNext ? now.getTime() : lastMs + (sequence === 0 ? 1 : 0)
  const ms = lastMs
  const time = ms.toString(16).padStart(12, '0')
  const counter = sequence.toString(16).padStart(3, '0')
  // The end of a random UUID: its variant, and 62 random bits, which Node.js draws for many at once. `randomBytes`
  // makes a system call of 8 µs for each id.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${randomUUID().slice(19)}`
}

/** The smallest possible event id for this time, used to delete events by age. */
export function firstEventId(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}
