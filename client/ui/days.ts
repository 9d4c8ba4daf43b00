/** The start of a day such as 2026-11-24, some days later, as a timestamp. A day may have 23 or 25 hours. */
export function midnight(day: string, daysLater = 0): string {
  const start = new Date(`${day}T00:00`)
  start.setDate(start.getDate() + daysLater)
  return start.toISOString()
}

/** The day of a time in the reader's time zone, as date inputs write it. */
export function dayOf(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}
