import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useProvided } from './FoyerProvider.tsx'
import { type CurrentSession, noteSession, type Outputs, refusalOf } from './index.ts'

/** A refusal is an answer; only a lost connection or a failing server is worth a retry. */
const retry = (failures: number, error: Error) => failures < 2 && refusalOf(error) === undefined

export type SessionState = { data: CurrentSession | null; isLoading: boolean; error: Error | null }

/** How long a response is reused by components mounted later, in milliseconds. */
const staleMs = 30_000
/** Requested regardless of whether the browser considers itself online, and again on reconnection. */
const always = { networkMode: 'always', refetchOnReconnect: 'always', staleTime: staleMs, retry } as const

/** The current session: `data` is null when signed out. Requested again whenever the page becomes visible again. */
export function useSession(): SessionState {
  const { foyer, queryClient } = useProvided()
  const { data, isPending, error } = useQuery(
    {
      queryKey: ['session'],
      queryFn: async () => {
        const current = await foyer.session.get.query()
        // Another user has signed in, or the organization has changed, possibly in another tab.
        noteSession(foyer, current)
        return current
      },
      refetchOnWindowFocus: 'always',
      ...always,
    },
    queryClient,
  )
  return { data: data ?? null, isLoading: isPending, error }
}

type Listed = Outputs['organization']['mine'][number]
export type CurrentOrganization = {
  /** The active organization of the session. Null for the personal account. */
  organization: { id: string; name: string; slug: string; logo: string | null } | null
  /** The user's role there: `owner`, `admin` or `member`. Null for the personal account. */
  role: string | null
  /** The user's organizations by name, at most fifty. */
  organizations: Listed[]
  /** Activates another organization; null for the personal account. Rejects if it is refused. */
  setActive: (organizationId: string | null) => Promise<void>
  isLoading: boolean
  error: Error | null
}

/** The organization in which the user works, the user's other organizations, and a function to switch. */
export function useOrganization(): CurrentOrganization {
  const { foyer, queryClient } = useProvided()
  const session = useSession()
  const userId = session.data?.user.id
  const activeId = session.data?.session.activeOrganizationId ?? null
  const mine = useQuery(
    {
      queryKey: ['organizations', userId],
      queryFn: () => foyer.organization.mine.query(),
      enabled: userId !== undefined,
      ...always,
    },
    queryClient,
  )
  const listed = mine.data?.find(({ id }) => id === activeId)
  // A user with more organizations than the list holds may work in one that is not listed.
  const isBeyondList = activeId !== null && mine.data !== undefined && listed === undefined
  const beyond = useQuery(
    {
      queryKey: ['organization', userId, activeId],
      queryFn: () => foyer.organization.getFull.query({ organizationId: activeId ?? '' }),
      enabled: isBeyondList,
      ...always,
    },
    queryClient,
  )
  const setActive = useCallback(
    async (organizationId: string | null) => {
      await foyer.organization.setActive.mutate({ organizationId })
      await queryClient.invalidateQueries()
    },
    [foyer, queryClient],
  )
  const member = beyond.data?.members.find((one) => one.userId === userId)
  const organization = listed ?? (isBeyondList ? beyond.data : undefined)
  return {
    organization: organization
      ? { id: organization.id, name: organization.name, slug: organization.slug, logo: organization.logo }
      : null,
    role: listed?.role ?? member?.role ?? null,
    organizations: mine.data ?? [],
    setActive,
    isLoading: session.isLoading || (userId !== undefined && mine.isPending) || (isBeyondList && beyond.isPending),
    error: session.error ?? mine.error ?? beyond.error,
  }
}
