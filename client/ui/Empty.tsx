import type { ReactNode } from 'react'
import classes from './Empty.module.css'

/** Content of an empty list: a small drawing in the style of the illustration, one sentence, one action. */
export function Empty({ text, action }: { text: string; action?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <svg viewBox="0 0 96 72" width="96" height="72" aria-hidden="true" focusable="false">
        <path d="M6 66h84" stroke="var(--lineStrong)" strokeWidth="2" strokeLinecap="round" />
        <path d="M32 66V30a16 16 0 0 1 32 0v36z" fill="var(--glow)" stroke="var(--accent)" strokeWidth="2" />
        <path d="M34 65V30a14 14 0 0 1 8-12.500l9 4V66z" fill="var(--accent)" />
        <circle cx="47" cy="44" r="1.600" fill="var(--glow)" />
        <path
          d="M78 66V52M78 56c-5 0-7-3-7-7 5 0 7 3 7 7zM78 53c4 0 6-2.500 6-6-4 0-6 2.500-6 6z"
          fill="none"
          stroke="var(--quiet)"
          strokeWidth="2"
          strokeLinejoin="round"
        />
      </svg>
      <p>{text}</p>
      {action}
    </div>
  )
}
