import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { refusalOf } from './call-errors.ts'

/** How long after a change lists are read from the primary, in milliseconds. */
const currentMs = 10_000
let changedAt = -Infinity

/** Whether lists are to be read from the primary: users see their own recent changes. */
export function needsCurrentData(): boolean {
  return Date.now() - changedAt < currentMs
}

const sessionQuery = { queryKey: [['session', 'get']] }

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    // Offline, a request fails immediately with a message. By default it would wait indefinitely, and the screen with
    // it.
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 30_000,
      // Once, soon: then the reason is shown, with a button.
      retry: (failures, error) => failures < 1 && refusalOf(error) === undefined && navigator.onLine,
      retryDelay: 500,
    },
    mutations: { networkMode: 'always' },
  },
  // The session has ended, here or elsewhere: the shell then leads to the sign-in page, instead of a refusal on each
  // screen.
  queryCache: new QueryCache({
    onError: (error) => void (refusalOf(error) === 'UNAUTHORIZED' && forgetSession()),
    onSuccess: (answer, { queryKey }) => {
      const userId = nameOf(queryKey) === 'session.get' ? userIdOf(answer) : undefined
      if (userId !== undefined && localStorage.getItem(userKey) !== userId) localStorage.setItem(userKey, userId)
    },
  }),
  mutationCache: new MutationCache({
    onSettled: () => void (changedAt = Date.now()),
    onSuccess: (_answer, _input, _context, mutation) => {
      const name = nameOf(mutation.options.mutationKey)
      if (name === 'session.signOut') localStorage.removeItem(userKey)
      if (leavesOrganization.has(name)) sessionStorage.removeItem(lastOrganizationKey)
      return refresh(name)
    },
  }),
})

/**
 * localStorage key of the user who is signed in in this browser (shell/same-user.ts). Other tabs receive a storage
 * event when it changes, or when a sign-out removes it.
 */
export const userKey = 'foyer.user'

/** sessionStorage key of the organization that was opened last in this tab (shell/last-organization.ts). */
export const lastOrganizationKey = 'foyer.organization'

/** Calls after which the organization that was opened last is no longer the user's. */
const leavesOrganization = new Set(['session.signOut', 'organization.leave', 'organization.delete'])

/**
 * Removes what no screen shows any more. After leaving or deleting an organization, its members would otherwise be
 * shown from memory.
 */
export function forgetUnused(): void {
  queryClient.removeQueries({ type: 'inactive' })
}

function userIdOf(session: unknown): string | undefined {
  const user = typeof session === 'object' && session !== null && 'user' in session ? session.user : undefined
  const id = typeof user === 'object' && user !== null && 'id' in user ? user.id : undefined
  return typeof id === 'string' ? id : undefined
}

/** The user whose screens are shown. */
export function currentUserId(): string | undefined {
  // The session is read with and without the cookie cache. The latest answer counts.
  const answers = queryClient
    .getQueryCache()
    .findAll(sessionQuery)
    .filter(({ state }) => state.data !== undefined)
    .toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
  return userIdOf(answers[0]?.state.data)
}

/** Makes every screen see that no user is signed in. */
export function forgetSession(): void {
  queryClient.setQueriesData(sessionQuery, null)
  // The guards of the routes ask the server again: a new session may have begun meanwhile.
  void queryClient.invalidateQueries({ ...sessionQuery, refetchType: 'none' })
}

/** Removes the data of a user from memory. */
export function forgetUser(): void {
  const kept = new Set(['session.get', 'session.options'])
  queryClient.removeQueries({ predicate: ({ queryKey }) => !kept.has(nameOf(queryKey)) })
}

/** The name of a procedure in its query or mutation key, such as `team.create`. */
function nameOf(key: readonly unknown[] | undefined): string {
  return Array.isArray(key?.[0]) ? key[0].join('.') : ''
}

/** Invalidates the queries that a mutation makes stale. */
async function refresh(name: string): Promise<void> {
  // The page is left, and its queries would be refused for the other user.
  if (name === 'admin.impersonateUser' || name === 'admin.stopImpersonating') return queryClient.cancelQueries()
  const table = await import('./refresh.ts').catch(() => undefined)
  // Without the table, everything may be stale: the change itself was successful.
  if (!table) return queryClient.invalidateQueries()
  const { activity, invalidates } = table
  const stale = Object.entries(invalidates).find(([mutation]) => mutation === name)?.[1] ?? []
  const invalidate = (query: string) => queryClient.invalidateQueries({ queryKey: [query.split('.')] })
  for (const query of activity) void invalidate(query)
  await Promise.all(stale.map((query) => invalidate(query)))
}
