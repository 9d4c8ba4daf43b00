import { useTranslation } from 'react-i18next'

/** Formats dates and times for the current locale, in the browser's time zone. */
export function useDateFormat() {
  const { i18n } = useTranslation()
  const formatter = (options: Intl.DateTimeFormatOptions) => (time: string) =>
    new Intl.DateTimeFormat(i18n.language, options).format(new Date(time))
  return { day: formatter({ dateStyle: 'long' }), time: formatter({ dateStyle: 'long', timeStyle: 'short' }) }
}
