import type { ReactNode } from 'react'
import { ChevronIcon } from './icons.tsx'
import classes from './QuietSelect.module.css'

type QuietSelectProps = {
  label: string
  icon: ReactNode
  value: string
  choices: readonly { value: string; label: string; lang?: string }[]
  onChoose: (value: string) => void
}

/** A preference at the bottom of a screen. The browser's native select needs no script, and suits phones. */
export function QuietSelect({ label, icon, value, choices, onChoose }: QuietSelectProps) {
  return (
    <span className={classes.field}>
      {icon}
      <select
        className={classes.select}
        aria-label={label}
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} lang={choice.lang}>
            {choice.label}
          </option>
        ))}
      </select>
      <ChevronIcon />
    </span>
  )
}
