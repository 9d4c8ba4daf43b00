import classes from './SpendingChart.module.css'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { Section } from '../ui/Section.tsx'
import type { BillingScope } from './billing-scope.ts'
import { useMoney } from './money.ts'

/** Payments per month, as a bar chart and as a table with the same figures; one group per currency. */
export function SpendingChart({ scope }: { scope: BillingScope }) {
  const { t, i18n } = useTranslation()
  const money = useMoney()
  const { data: months = [] } = trpc.payment.months.useQuery(scope)
  if (months.length === 0) return null
  const monthName = (month: string) =>
    new Intl.DateTimeFormat(i18n.language, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
      new Date(`${month}-01`),
    )
  const currencies = [...new Set(months.map(({ currency }) => currency))]
  return (
    <Section title={t('billing.byMonth')}>
      {currencies.map((currency) => {
        const series = withGaps(months.filter((one) => one.currency === currency))
        const maxAmount = Math.max(...series.map(({ amount }) => amount), 1)
        return (
          <div key={currency} className={classes.chartWithTable}>
            <div className={classes.bars} aria-hidden="true">
              {series.map(({ month, amount }) => (
                <svg key={month} className={classes.bar} viewBox="0 0 10 100" preserveAspectRatio="none">
                  <rect y={100 - Math.max(2, (amount / maxAmount) * 100)} width="10" height="100" rx="1" />
                </svg>
              ))}
            </div>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">{t('billing.month')}</th>
                  <th scope="col">{t('billing.amount')}</th>
                </tr>
              </thead>
              <tbody>
                {series.map(({ month, amount }) => (
                  <tr key={month}>
                    <th scope="row">{monthName(month)}</th>
                    <td>{money(amount, currency)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      })}
    </Section>
  )
}

/** Fills the gaps: a month without payments between the first and the last entry gets an amount of 0. */
function withGaps<Entry extends { month: string; amount: number }>(entries: Entry[]): Entry[] {
  const [first] = entries
  const last = entries.at(-1)
  if (!first || !last) return []
  const all: Entry[] = []
  for (
    let at = new Date(`${first.month}-01`);
    at <= new Date(`${last.month}-01`);
    at.setUTCMonth(at.getUTCMonth() + 1)
  ) {
    const month = at.toISOString().slice(0, 7)
    all.push(entries.find((entry) => entry.month === month) ?? { ...first, month, amount: 0 })
  }
  return all
}
