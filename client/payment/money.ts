import { useTranslation } from 'react-i18next'

/** Formats an amount in the currency's smallest unit for the current locale. */
export function useMoney(): (amount: number, currency: string) => string {
  const { i18n } = useTranslation()
  return (amount, currency) => {
    try {
      const format = new Intl.NumberFormat(i18n.language, { style: 'currency', currency })
      return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
    } catch {
      // Intl rejects an unknown currency code: show the raw amount and the provider's code.
      return `${amount} ${currency}`.trim()
    }
  }
}
