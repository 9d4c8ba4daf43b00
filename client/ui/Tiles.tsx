import type { ReactNode } from 'react'
import { AnchorLink } from './links.tsx'
import classes from './Tiles.module.css'

/** A figure with its name. One that asks for an action is marked, and leads to where it can be done. */
type Tile = { label: string; value: ReactNode; isAlarming?: boolean; to?: string }

/** Figures beside each other, as many as there is room for. */
export function Tiles({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <dl className={classes.tiles}>
      {tiles.map(({ label, value, isAlarming = false, to }) => (
        <div key={label} className={classes.tile} data-alarming={isAlarming}>
          <dt>{to === undefined ? label : <AnchorLink to={to}>{label}</AnchorLink>}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
