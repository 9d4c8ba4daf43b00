import type { ReactNode } from 'react'
import classes from './Task.module.css'

/** A short list of the user's pending tasks. */
export function Tasks({ children }: { children: ReactNode }) {
  return <ul className={classes.tasks}>{children}</ul>
}

type TaskProps = { icon: ReactNode; title: string; detail: string; action: ReactNode; footer?: ReactNode }

export function Task({ icon, title, detail, action, footer }: TaskProps) {
  return (
    <li className={classes.task}>
      <span className={classes.icon}>{icon}</span>
      <span className={classes.text}>
        <strong>{title}</strong>
        <span>{detail}</span>
      </span>
      <span className={classes.action}>{action}</span>
      {footer}
    </li>
  )
}
