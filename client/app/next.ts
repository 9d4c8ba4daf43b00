import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { isSafeTarget, isScreenPath, withQuery } from '../../shared/redirect.ts'
import { trpc, type Outputs } from './trpc.ts'

/** An address in the query, if it is one of ours or of TRUSTED_ORIGINS. */
export function checkedNext(
  next: string | undefined,
  { trustedOrigins }: Outputs['session']['options'],
): string | undefined {
  if (next === undefined) return undefined
  return isSafeTarget(next, { appOrigin: location.origin, trustedOrigins }) ? next : undefined
}

/** Where this screen leads to in the end. Kept from its first address, which later ones may not have. */
export function useNext(): string | undefined {
  const [options] = trpc.session.options.useSuspenseQuery()
  const { next } = useSearch({ strict: false })
  const [first] = useState(next)
  return checkedNext(first ?? next, options)
}

/** An own path with the address that this screen leads to in the end, so that the way there is not lost on it. */
export function usePathWithNext(path: string): string {
  const next = useNext()
  return withQuery(path, next === undefined ? {} : { next })
}

/** Options of a redirect to a checked address: what is no screen is loaded as a document. */
export function redirectTo(target: string): { href: string; reloadDocument?: true } {
  return isScreenPath(target) ? { href: target } : { href: new URL(target, location.origin).href, reloadDocument: true }
}
