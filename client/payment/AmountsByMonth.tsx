import { formatMoney } from '../../shared/money.ts'
import { useTranslation } from '../language/translation.ts'
import { useMoney } from './money.ts'
import classes from './AmountsByMonth.module.css'

type Entry = { month: string; currency: string; amount: number }

/** Amounts per month, as a bar chart with an axis and as a table with the same figures; one group per currency. */
export function AmountsByMonth({ months }: { months: Entry[] }) {
  const { t, language } = useTranslation()
  const money = useMoney()
  const format = (month: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(new Date(`${month}-01`))
  const currencies = [...new Set(months.map(({ currency }) => currency))]
  return currencies.map((currency) => {
    const series = lastYearOf(
      months.filter((one) => one.currency === currency),
      currency,
    )
    const steps = axisOf(Math.max(...series.map(({ amount }) => amount), 1))
    const top = steps.at(-1) ?? 1
    return (
      <div key={currency}>
        {currencies.length > 1 && <h3 className={classes.currency}>{currency}</h3>}
        <div className={classes.chart} aria-hidden="true">
          <div className={classes.axis}>
            {steps.toReversed().map((step) => (
              <span key={step}>{formatMoney(step, currency, language, true)}</span>
            ))}
          </div>
          <div className={classes.plot}>
            {steps.map((step) => (
              <span key={step} className={classes.line} style={{ bottom: `${(step / top) * 100}%` }} />
            ))}
            <div className={classes.bars}>
              {series.map(({ month, amount }, at) => (
                <span key={month} className={classes.column} data-newest={at === series.length - 1}>
                  <span className={classes.bar} style={{ height: `${(Math.max(amount, 0) / top) * 100}%` }} />
                  <span className={classes.name}>{format(month, { month: 'short' })}</span>
                </span>
              ))}
            </div>
          </div>
        </div>
        <details className={classes.figures}>
          <summary>{t('common.asTable')}</summary>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('billing.month')}</th>
                <th scope="col">{t('common.amount')}</th>
              </tr>
            </thead>
            <tbody>
              {series.toReversed().map(({ month, amount }) => (
                <tr key={month}>
                  <th scope="row">{format(month, { month: 'long', year: 'numeric' })}</th>
                  <td>{money(amount, currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </div>
    )
  })
}

/** Number of months that fit side by side. */
const monthCount = 12

/** Values of an axis from 0 to at least `max`, in three or four round steps. */
function axisOf(max: number): number[] {
  const size = 10 ** Math.floor(Math.log10(max))
  const step = [size / 4, size / 2, size, size * 2, size * 4].find((one) => max / one <= 4) ?? size
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, n) => n * step)
}

/** The last twelve months, including the current one. A month without payments has an amount of 0. */
function lastYearOf(entries: Entry[], currency: string): Entry[] {
  const now = new Date()
  return Array.from({ length: monthCount }, (_, n) => {
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (monthCount - 1 - n)))
    const month = at.toISOString().slice(0, 7)
    return entries.find((entry) => entry.month === month) ?? { month, currency, amount: 0 }
  })
}
