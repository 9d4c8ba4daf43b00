import { useTranslation } from '../language/translation.ts'

/** Formats dates and times for the current locale, in the browser's time zone. */
export function useDateFormat() {
  const { language } = useTranslation()
  const formatter = (options: Intl.DateTimeFormatOptions) => (time: string) =>
    new Intl.DateTimeFormat(language, options).format(new Date(time))
  return {
    day: formatter({ dateStyle: 'long' }),
    /** Shorter ones for tables. */
    short: formatter({ dateStyle: 'medium' }),
    minute: formatter({ dateStyle: 'medium', timeStyle: 'short' }),
    time: formatter({ dateStyle: 'long', timeStyle: 'short' }),
    /** "in 2 days", "3 hours ago". */
    relative: (time: string) => relative(language, new Date(time).getTime() - Date.now()),
    /** "3 hours ago", from a number of seconds. */
    ago: (seconds: number) => relative(language, -seconds * 1000),
  }
}

/** Units of a relative time, largest first, in milliseconds. */
const units = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

function relative(language: string, differenceMs: number): string {
  const [unit, size] = units.find(([, ms]) => Math.abs(differenceMs) >= ms) ?? ['minute', 60_000]
  // "Tomorrow" is the next day of the calendar, even if it is more than 36 hours away.
  const count = unit === 'day' ? calendarDays(differenceMs) : Math.round(differenceMs / size)
  // Thirty days are not always "next month".
  const numeric = unit === 'month' || unit === 'year' ? 'always' : 'auto'
  return new Intl.RelativeTimeFormat(language, { numeric }).format(count, unit)
}

/** The number of midnights between now and then, in the browser's time zone. */
function calendarDays(differenceMs: number): number {
  const now = Date.now()
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0)
  return Math.round((midnight(now + differenceMs) - midnight(now)) / 86_400_000)
}
