import { useParams } from '@tanstack/react-router'
import { can, isOwner, type Action, type Resource } from '../../shared/permissions.ts'
import { trpc } from '../api/trpc.ts'

/** The organization of the current URL, the user's membership, and the user's permissions in it. */
export function useOrganization() {
  const { slug } = useParams({ from: '/shell/o/$slug' })
  const [organization] = trpc.organization.get.useSuspenseQuery({ slug })
  const { role } = organization.me
  return {
    organization,
    isOwnedByUser: isOwner(role),
    may: <R extends Resource>(resource: R, action: Action<R>) => can(role, resource, action),
  }
}
