import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../shared/money.ts'

/** Formats an amount in the currency's smallest unit for the current locale. */
export function useMoney(): (amount: number, currency: string) => string {
  const { i18n } = useTranslation()
  return (amount, currency) => formatMoney(amount, currency, i18n.language)
}
