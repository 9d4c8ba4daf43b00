import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { isSafeTarget, isScreenPath, withQuery } from '../../shared/redirect.ts'
import { trpc, type Outputs } from '../api/trpc.ts'

/** A URL in the query, if it belongs to this origin or one of TRUSTED_ORIGINS. */
export function checkedNext(
  next: string | undefined,
  { trustedOrigins }: Outputs['session']['options'],
): string | undefined {
  if (next === undefined) return undefined
  return isSafeTarget(next, { appOrigin: location.origin, trustedOrigins }) ? next : undefined
}

/** The final target of this screen. Kept from its first URL, because later ones may not have it. */
export function useNext(): string | undefined {
  const [options] = trpc.session.options.useSuspenseQuery()
  const { next } = useSearch({ strict: false })
  const [first] = useState(next)
  return checkedNext(first ?? next, options)
}

/** The final target as a part of a query. Nothing if there is none. */
export function withNext(next: string | undefined): { next?: string } {
  return next === undefined ? {} : { next }
}

/** A path of the client that carries the current final target along. */
export function usePathWithNext(path: string): string {
  const next = useNext()
  return withQuery(path, withNext(next))
}

/** Options of a redirect to a validated URL. URLs that are not screens of the client are loaded as documents. */
export function redirectTo(target: string): { href: string; reloadDocument?: true } {
  return isScreenPath(target) ? { href: target } : { href: new URL(target, location.origin).href, reloadDocument: true }
}
