import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { lastOrganizationKey, type Outputs, trpc } from '../app/trpc.ts'

type Current = {
  /** Undefined if no organization was opened in this tab. */
  slug: string | undefined
  /** Undefined while it loads, or if the user has no access to it. */
  organization: Outputs['organization']['get'] | undefined
  isPending: boolean
}

/**
 * The organization of the URL, or on screens outside organizations, the one that was opened last in this tab: the
 * navigation keeps leading to it.
 */
export function useLastOrganization(): Current {
  const { slug: opened } = useParams({ strict: false })
  const slug = opened ?? sessionStorage.getItem(lastOrganizationKey) ?? undefined
  useEffect(() => {
    if (opened !== undefined) sessionStorage.setItem(lastOrganizationKey, opened)
  }, [opened])
  const { data, isError, isPending } = trpc.organization.get.useQuery(
    { slug: slug ?? '' },
    { enabled: slug !== undefined },
  )
  // An organization that was deleted or left since is still in the cache.
  return { slug, organization: isError ? undefined : data, isPending: slug !== undefined && isPending }
}
