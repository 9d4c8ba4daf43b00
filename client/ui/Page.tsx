import type { ReactNode } from 'react'
import { Heading } from './AuthLayout.tsx'

/** A screen inside the shell: its title, for the window as well, and what it shows. */
export function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <title>{`${title} · Foyer`}</title>
      <Heading>{title}</Heading>
      {children}
    </>
  )
}
