import type { ReactNode } from 'react'
import classes from './Section.module.css'

type SectionProps = {
  title?: string
  description?: ReactNode
  isDangerous?: boolean
  /** Its rows extend to the edges of the card. */
  isFlush?: boolean
  /** Its content has its own card. */
  isBare?: boolean
  children: ReactNode
}

/** A card, with an optional title and an explanation (`description`) above it. */
export function Section({
  title,
  description,
  isDangerous = false,
  isFlush = false,
  isBare = false,
  children,
}: SectionProps) {
  return (
    <section className={classes.section}>
      {title !== undefined && <h2 className={classes.title}>{title}</h2>}
      {description !== undefined && <p className={classes.description}>{description}</p>}
      {isBare ? (
        children
      ) : (
        <div className={classes.card} data-dangerous={isDangerous} data-flush={isFlush}>
          {children}
        </div>
      )}
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

type RowProps = { picture?: ReactNode; name: ReactNode; detail: ReactNode; action?: ReactNode }

export function Row({ picture, name, detail, action }: RowProps) {
  return (
    <li className={classes.row}>
      {picture}
      <div className={classes.text}>
        <div className={classes.name}>{name}</div>
        <div className={classes.detail}>{detail}</div>
      </div>
      {action}
    </li>
  )
}

/** Buttons below the rows of a flush section. */
export function SectionActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>
}

type SettingRowProps = { name: string; description?: ReactNode; inputId?: string; children?: ReactNode }

/** A row of two columns in a flush section: name and one sentence on the left, the control on the right. */
export function SettingRow({ name, description, inputId, children }: SettingRowProps) {
  return (
    <div className={classes.setting}>
      <div className={classes.settingText}>
        {inputId === undefined ? <strong>{name}</strong> : <label htmlFor={inputId}>{name}</label>}
        {description !== undefined && <p id={inputId && `${inputId}-hint`}>{description}</p>}
      </div>
      <div className={classes.control}>{children}</div>
    </div>
  )
}
