import { useTranslation } from 'react-i18next'
import classes from './AmountsByMonth.module.css'
import { useMoney } from './money.ts'

type Entry = { month: string; currency: string; amount: number }

/** Amounts per month, as a bar chart and as a table with the same figures; one group per currency. */
export function AmountsByMonth({ months }: { months: Entry[] }) {
  const { t, i18n } = useTranslation()
  const money = useMoney()
  const monthName = (month: string) =>
    new Intl.DateTimeFormat(i18n.language, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
      new Date(`${month}-01`),
    )
  const currencies = [...new Set(months.map(({ currency }) => currency))]
  return currencies.map((currency) => {
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
  })
}

/** Fills the gaps: a month without payments between the first and the last entry gets an amount of 0. */
function withGaps(entries: Entry[]): Entry[] {
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
