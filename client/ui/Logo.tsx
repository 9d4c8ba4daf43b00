import { brand } from '../language/brand.ts'
import classes from './Logo.module.css'

/** The logo of the installation, else mark and name. The server renders the same (server/http/pages/brand.ts). */
export function Logo() {
  if (brand.logoUrl !== '') {
    return (
      <span className={classes.brand} data-brand="true">
        <img src={brand.logoUrl} alt={brand.product} height={28} />
      </span>
    )
  }
  return (
    <span className={classes.brand} data-brand="true">
      <svg viewBox="0 0 24 28" width="24" height="28" aria-hidden="true" focusable="false">
        <path
          d="M3 27V12a9 9 0 0 1 18 0v15z"
          fill="var(--glow)"
          stroke="var(--accent)"
          strokeWidth="2"
          strokeLinejoin="round"
        />
        <path d="M4 26.5V12A8 8 0 0 1 8.5 4.8L13 6.5V28z" fill="var(--accent)" />
      </svg>
      <span className={classes.word}>{brand.product}</span>
    </span>
  )
}
