import { useTranslation } from 'react-i18next'

/** Times as people of the screen's language say them, in their own zone. */
export function useMoment() {
  const { i18n } = useTranslation()
  const say = (options: Intl.DateTimeFormatOptions) => (time: string) =>
    new Intl.DateTimeFormat(i18n.language, options).format(new Date(time))
  return { day: say({ dateStyle: 'long' }), time: say({ dateStyle: 'long', timeStyle: 'short' }) }
}
