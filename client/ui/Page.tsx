import type { ReactNode } from 'react'
import { Heading } from './AuthLayout.tsx'

/** A screen inside the app shell; `title` is both the heading and the document title. */
export function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <title>{`${title} · Foyer`}</title>
      <Heading>{title}</Heading>
      {children}
    </>
  )
}
