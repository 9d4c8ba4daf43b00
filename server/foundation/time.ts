/** Milliseconds of a day. Days are counted in UTC, where each has as many. */
const dayMs = 86_400_000

export function secondsAfter(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000)
}

export function secondsBefore(at: Date, seconds: number): Date {
  return secondsAfter(at, -seconds)
}

/** Days of 24 hours, in UTC: `days` may be negative or a fraction. */
export function daysAfter(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs)
}

export function daysBefore(at: Date, days: number): Date {
  return daysAfter(at, -days)
}
