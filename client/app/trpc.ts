import { httpBatchLink, httpLink, type OperationContext, splitLink, TRPCClientError, type TRPCLink } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import type { RefusalKey } from '../../shared/errors.ts'
import type { inferRouterOutputs } from '@trpc/server'
import { observable, type Unsubscribable } from '@trpc/server/observable'
import type { AppRouter } from '../../server/router.ts'
import { requestedState, screenStateLink } from '../gallery/screen-state.ts'
import { currentLanguage } from '../language/i18n.ts'
import { askForConfirmation, type ConfirmationKind, isConfirming } from './confirmation.ts'

/** Typed React Query hooks for every procedure of the server. */
export const trpc = createTRPCReact<AppRouter>()

/** Output types of all procedures, such as `Outputs['team']['list']`. */
export type Outputs = inferRouterOutputs<AppRouter>

/** The only place with the server's URL. */
const url = '/api/trpc'
const headers = (context?: OperationContext) => ({
  // A change is refused if another user has signed in since its screen was shown.
  ...(typeof context?.['userId'] === 'string' && { 'x-foyer-user': context['userId'] }),
  'accept-language': currentLanguage(),
  // Users see their own recent changes, even where lists are read from a replica.
  ...(Date.now() - changedAt < currentMs && { 'cache-control': 'no-cache' }),
})

/** How long after a change lists are read from the primary, in milliseconds. */
const currentMs = 10_000
let changedAt = -Infinity

const screenState = requestedState()

/** What the user has to confirm before a call that is refused with this key succeeds. */
const confirmationFor: Partial<Record<RefusalKey, ConfirmationKind>> = {
  SESSION_IS_NOT_FRESH: 'identity',
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION: 'identity',
  SECOND_FACTOR_REQUIRED: 'factor',
}

/**
 * Asks the user for the confirmation that a refused call requires, and then sends the call again, for the same user. The
 * call fails with its refusal if the user cancels, or has left the screen. Screens of an organization that requires a
 * second factor say so themselves; a query that a user starts has `isAction` in its context.
 */
const confirmationLink: TRPCLink<AppRouter> =
  () =>
  ({ op: asked, next }) =>
    observable((observer) => {
      const isAction = asked.type === 'mutation' || asked.context['isAction'] === true
      const op = isAction ? { ...asked, context: { ...asked.context, userId: currentUserId() } } : asked
      const screen = location.pathname
      const isOfDialog = isConfirming()
      let sent: Unsubscribable | undefined
      let isCanceled = false
      const confirm = async (kind: ConfirmationKind, error: TRPCClientError<AppRouter>) => {
        const isConfirmed = location.pathname === screen && (await askForConfirmation(kind))
        if (isCanceled) return
        if (isConfirmed && location.pathname === screen) send()
        else observer.error(error)
      }
      const send = () => {
        sent = next(op).subscribe({
          ...observer,
          error: (error) => {
            const key = refusalOf(error)
            const kind = key && confirmationFor[key]
            if (kind && !isOfDialog && (kind === 'identity' || isAction)) void confirm(kind, error)
            else observer.error(error)
            if (key === 'USER_CHANGED') void reloadForUser(op.context['userId'])
          },
        })
      }
      send()
      return () => {
        isCanceled = true
        sent?.unsubscribe()
      }
    })

export const client = trpc.createClient({
  links: [
    confirmationLink,
    ...(screenState ? [screenStateLink(screenState)] : []),
    splitLink({
      // Calls to third parties are not batched: a batch is as slow as its slowest call.
      condition: ({ type, context }) => type === 'query' && context['isSlow'] !== true && context['isAction'] !== true,
      true: httpBatchLink({ url, headers: () => headers(), maxItems: 20 }),
      false: httpLink({ url, headers: ({ op }) => headers(op.context) }),
    }),
  ],
})

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
      if (name === 'session.signOut') {
        localStorage.removeItem(userKey)
        sessionStorage.removeItem(lastOrganizationKey)
      }
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

function userIdOf(session: unknown): string | undefined {
  const user = typeof session === 'object' && session !== null && 'user' in session ? session.user : undefined
  const id = typeof user === 'object' && user !== null && 'id' in user ? user.id : undefined
  return typeof id === 'string' ? id : undefined
}

/** Loads the page again if another user has signed in: it shows the data of the former one. */
async function reloadForUser(shownId: unknown): Promise<void> {
  // Without a connection, the refusal stays on the screen.
  const session = await queries.session.get.fetch(undefined, { staleTime: 0 }).catch(() => undefined)
  if (session !== undefined && session?.user.id !== shownId) location.reload()
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

/** For route loaders and guards outside components. */
export const queries = createTRPCQueryUtils<AppRouter>({ queryClient, client })

/** The catalogue key of a refusal; undefined for other errors, such as a network failure. */
export function refusalOf(error: unknown): RefusalKey | undefined {
  if (!(error instanceof TRPCClientError)) return undefined
  const data: unknown = error.data
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? String(data.reason) : ''
  return isRefusalKey(reason) ? reason : undefined
}

/** By its form: a table of all of them would be a part of the first visit. */
function isRefusalKey(text: string): text is RefusalKey {
  return /^[A-Z0-9_]+$/.test(text)
}

/** Why and until when a user is banned, if a sign-in was refused because of that. */
export function banOf(error: unknown): { reason: string | null; expiresAt: string | null } | undefined {
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined
  if (typeof data !== 'object' || data === null || !('banReason' in data)) return undefined
  const expiresAt = 'banExpires' in data && typeof data.banExpires === 'string' ? data.banExpires : null
  return { reason: typeof data.banReason === 'string' && data.banReason !== '' ? data.banReason : null, expiresAt }
}

/** The HTTP status of a refusal. Undefined if there was no response. */
export function statusOf(error: unknown): number | undefined {
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined
  const status = typeof data === 'object' && data !== null && 'httpStatus' in data ? data.httpStatus : undefined
  return typeof status === 'number' ? status : undefined
}

/** The id under which the server logged a failed request, for support. */
export function requestIdOf(error: unknown): string | undefined {
  return headerOf(error, 'x-request-id')
}

/** Seconds until a rate-limited call can be repeated. */
export function retryAfterOf(error: unknown): number | undefined {
  const seconds = Number(headerOf(error, 'retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}

function headerOf(error: unknown, name: string): string | undefined {
  const response: unknown = error instanceof TRPCClientError ? error.meta?.['response'] : undefined
  return response instanceof Response ? (response.headers.get(name) ?? undefined) : undefined
}

/** The name of a procedure in its query or mutation key, such as `team.create`. */
function nameOf(key: readonly unknown[] | undefined): string {
  return Array.isArray(key?.[0]) ? key[0].join('.') : ''
}

/** Invalidates the queries that a mutation makes stale. */
async function refresh(name: string): Promise<void> {
  const table = await import('./refresh.ts').catch(() => undefined)
  // Without the table, everything may be stale: the change itself was successful.
  if (!table) return queryClient.invalidateQueries()
  const { activity, invalidatedBy } = table
  const stale = Object.entries(invalidatedBy).find(([mutation]) => mutation === name)?.[1] ?? []
  const invalidate = (query: string) => queryClient.invalidateQueries({ queryKey: [query.split('.')] })
  for (const query of activity) void invalidate(query)
  await Promise.all(stale.map((query) => invalidate(query)))
}
