import { useTranslation } from 'react-i18next'

/** An amount of a currency's smallest unit, as the screen's language writes it. */
export function useMoney(): (amount: number, currency: string) => string {
  const { i18n } = useTranslation()
  return (amount, currency) => {
    try {
      const format = new Intl.NumberFormat(i18n.language, { style: 'currency', currency })
      return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
    } catch {
      // A currency that is none: the plain number, with what the provider calls it.
      return `${amount} ${currency}`.trim()
    }
  }
}
