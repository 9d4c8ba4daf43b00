import type { ReactNode } from 'react'
import classes from './Section.module.css'

/** A card with a title and, where it helps, a sentence of why. */
export function Section({ title, why, children }: { title: string; why?: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2 className={classes.title}>{title}</h2>
      {why !== undefined && <p className={classes.why}>{why}</p>}
      {children}
    </section>
  )
}

/** Labels and values, side by side where there is room. */
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
