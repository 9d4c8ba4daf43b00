import { useTranslation } from 'react-i18next'

/** Formats dates and times for the current locale, in the browser's time zone. */
export function useMoment() {
  const { i18n } = useTranslation()
  const say = (options: Intl.DateTimeFormatOptions) => (time: string) =>
    new Intl.DateTimeFormat(i18n.language, options).format(new Date(time))
  return { day: say({ dateStyle: 'long' }), time: say({ dateStyle: 'long', timeStyle: 'short' }) }
}
