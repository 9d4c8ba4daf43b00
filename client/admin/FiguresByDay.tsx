import { useTranslation } from '../language/translation.ts'
import classes from './FiguresByDay.module.css'

type FiguresByDayProps = {
  label: string
  /** What the figures are, as the head of their column. */
  unit?: string
  days: readonly { day: string; figure: number | null }[]
}

/** Figures of thirty days as bars, and as a table. A day without a figure is null. */
export function FiguresByDay({ label, unit, days }: FiguresByDayProps) {
  const { t, language } = useTranslation()
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const dateOf = (day: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))
  const shown = (figure: number | null) => (figure === null ? '—' : number.format(figure))
  const top = Math.max(...days.map(({ figure }) => figure ?? 0))
  if (top <= 0) return <p className={classes.none}>{t('installation.none')}</p>
  const [first] = days
  const last = days.at(-1)
  return (
    <>
      <div className={classes.chart} aria-hidden="true">
        <span className={classes.top}>{number.format(top)}</span>
        <div className={classes.bars}>
          {days.map(({ day, figure }) => (
            <span
              key={day}
              className={classes.bar}
              title={`${dateOf(day)}: ${shown(figure)}`}
              style={{ height: `${((figure ?? 0) / top) * 100}%` }}
            />
          ))}
        </div>
        <div className={classes.ends}>
          <span>{first && dateOf(first.day)}</span>
          <span>{last && dateOf(last.day)}</span>
        </div>
      </div>
      <details className={classes.figures}>
        <summary>{t('common.asTable')}</summary>
        <table className={classes.table} aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t('installation.day')}</th>
              <th scope="col">{unit ?? t('installation.count')}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, figure }) => (
              <tr key={day}>
                <th scope="row">{dateOf(day)}</th>
                <td>{shown(figure)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
