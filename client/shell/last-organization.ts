import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { statusOf } from '../api/call-errors.ts'
import { lastOrganizationKey } from '../api/query-client.ts'
import { type Outputs, trpc } from '../api/trpc.ts'

type Current = {
  /** Undefined if no organization was opened in this tab. */
  slug: string | undefined
  /** Undefined while it loads, or if the user has no access to it. */
  organization: Outputs['organization']['get'] | undefined
  /** Whether the organization of the URL is loading. */
  isPending: boolean
}

/**
 * The organization of the URL, or on screens outside organizations, the one that this user opened last in this tab: the
 * navigation keeps leading to it.
 */
export function useLastOrganization(): Current {
  const { slug: opened } = useParams({ strict: false })
  const [current] = trpc.session.get.useSuspenseQuery()
  const userId = current?.user.id ?? ''
  const last = readLast()
  const slug = opened ?? (last?.userId === userId ? last.slug : undefined)
  const { data, error, isPending } = trpc.organization.get.useQuery(
    { slug: slug ?? '' },
    { enabled: slug !== undefined },
  )
  const status = error ? statusOf(error) : undefined
  const isGone = status === 403 || status === 404
  useEffect(() => {
    if (isGone) sessionStorage.removeItem(lastOrganizationKey)
    else if (opened !== undefined) sessionStorage.setItem(lastOrganizationKey, JSON.stringify({ userId, slug: opened }))
  }, [opened, userId, isGone])
  // An organization that was deleted or left since is still in the cache.
  return { slug, organization: error ? undefined : data, isPending: opened !== undefined && isPending }
}

function readLast(): { userId: unknown; slug: string } | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(lastOrganizationKey) ?? 'null')
    if (typeof stored !== 'object' || stored === null || !('userId' in stored) || !('slug' in stored)) return undefined
    return typeof stored.slug === 'string' ? { userId: stored.userId, slug: stored.slug } : undefined
  } catch {
    return undefined
  }
}
