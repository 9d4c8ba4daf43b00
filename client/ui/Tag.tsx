import type { ReactNode } from 'react'
import classes from './Tag.module.css'

/** The meaning of a tag. Attention means that an action is needed soon; bad means that something has failed. */
export type Tone = 'neutral' | 'accent' | 'good' | 'attention' | 'bad'

/** A short, soft label: a role, a state. */
export function Tag({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  )
}
