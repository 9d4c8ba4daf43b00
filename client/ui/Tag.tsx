import type { ReactNode } from 'react'
import classes from './Tag.module.css'

/** What a tag means. Attention asks for an action soon; bad has failed already. */
export type Tone = 'neutral' | 'accent' | 'good' | 'attention' | 'bad'

/** A short, soft label: a role, a state. */
export function Tag({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  )
}
