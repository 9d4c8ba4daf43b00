import type { ReactNode } from 'react'
import classes from './Task.module.css'

/** A short list of the user's pending tasks. */
export function Tasks({ children }: { children: ReactNode }) {
  return <ul className={classes.tasks}>{children}</ul>
}

type TaskProps = { icon: ReactNode; title: string; note: string; action: ReactNode; below?: ReactNode }

export function Task({ icon, title, note, action, below }: TaskProps) {
  return (
    <li className={classes.task}>
      <span className={classes.icon}>{icon}</span>
      <span className={classes.text}>
        <strong>{title}</strong>
        <span>{note}</span>
      </span>
      <span className={classes.action}>{action}</span>
      {below}
    </li>
  )
}
