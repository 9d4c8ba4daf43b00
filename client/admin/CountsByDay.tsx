import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './CountsByDay.module.css'

type CountsByDayProps = { label: string; days: readonly { day: string; count: number }[] }

/** Counts of thirty days as bars, and as a table with the same figures. */
export function CountsByDay({ label, days }: CountsByDayProps) {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 })
  const dateOf = (day: string) =>
    new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))
  const top = Math.max(...days.map(({ count }) => count))
  if (top <= 0) return <Text c="dimmed">{t('operation.none')}</Text>
  const [first] = days
  const last = days.at(-1)
  return (
    <>
      <div className={classes.chart} aria-hidden="true">
        <span className={classes.top}>{number.format(top)}</span>
        <div className={classes.bars}>
          {days.map(({ day, count }) => (
            <span
              key={day}
              className={classes.bar}
              title={`${dateOf(day)}: ${number.format(count)}`}
              style={{ height: `${(count / top) * 100}%` }}
            />
          ))}
        </div>
        <div className={classes.ends}>
          <span>{first && dateOf(first.day)}</span>
          <span>{last && dateOf(last.day)}</span>
        </div>
      </div>
      <details className={classes.figures}>
        <summary>{t('billing.asTable')}</summary>
        <table className={classes.table} aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t('operation.day')}</th>
              <th scope="col">{t('operation.count')}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, count }) => (
              <tr key={day}>
                <th scope="row">{dateOf(day)}</th>
                <td>{number.format(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
