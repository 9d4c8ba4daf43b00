import { formatMoney } from '../../shared/money.ts'
import { useTranslation } from '../language/translation.ts'

/** Formats an amount in the currency's smallest unit for the current locale. */
export function useMoney(): (amount: number, currency: string) => string {
  const { language } = useTranslation()
  return (amount, currency) => formatMoney(amount, currency, language)
}

export type Priced = {
  amount: number
  currency: string
  interval: string | null
  intervalCount: number | null
  isTaxIncluded: boolean | null
}

/** Formats a price with its interval and whether it includes tax, such as "€19.99 per month, tax included". */
export function usePrice(): (price: Priced) => string {
  const { t, language } = useTranslation()
  const money = useMoney()
  return ({ amount, currency, interval, intervalCount, isTaxIncluded }) => {
    const plain = money(amount, currency)
    const unit = units.find(({ name }) => name === interval)
    const count = intervalCount ?? 1
    const period = (style: string) =>
      new Intl.NumberFormat(language, { style: 'unit', unit: style, unitDisplay: 'long' }).format(count)
    const price = !unit
      ? plain
      : count === 1
        ? t(`billing.${unit.text}`, { amount: plain })
        : t('billing.perPeriod', { amount: plain, period: period(unit.style) })
    if (isTaxIncluded === null) return price
    return t(isTaxIncluded ? 'billing.taxIncluded' : 'billing.plusTax', { price })
  }
}

/** Units of an interval, as the provider, Intl and the catalogue name them. */
const units = [
  { name: 'Day', style: 'day', text: 'perDay' },
  { name: 'Week', style: 'week', text: 'perWeek' },
  { name: 'Month', style: 'month', text: 'perMonth' },
  { name: 'Year', style: 'year', text: 'perYear' },
] as const
