import type { ReactNode } from 'react'
import classes from './Section.module.css'

type SectionProps = { title?: string; why?: string; isDangerous?: boolean; children: ReactNode }

/** A card with an optional title and an optional explanation (`why`). */
export function Section({ title, why, isDangerous = false, children }: SectionProps) {
  return (
    <section className={classes.section} data-dangerous={isDangerous}>
      {title !== undefined && <h2 className={classes.title}>{title}</h2>}
      {why !== undefined && <p className={classes.why}>{why}</p>}
      {children}
    </section>
  )
}

/** A description list; labels and values are side by side on wide screens. */
export function Facts({ facts }: { facts: [label: string, value: ReactNode][] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A vertical list of rows, each with a name, a secondary line and an action. */
export function Rows({ children }: { children: ReactNode }) {
  return <ul className={classes.rows}>{children}</ul>
}

type RowProps = { picture?: ReactNode; name: ReactNode; note: string; action?: ReactNode }

export function Row({ picture, name, note, action }: RowProps) {
  return (
    <li className={classes.row}>
      {picture}
      <div className={classes.text}>
        <div className={classes.name}>{name}</div>
        <div className={classes.note}>{note}</div>
      </div>
      {action}
    </li>
  )
}
