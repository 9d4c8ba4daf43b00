import { httpBatchLink, httpLink, splitLink, TRPCClientError } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import { MutationCache, QueryClient } from '@tanstack/react-query'
import type { RefusalKey } from '../../shared/errors.ts'
import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/router.ts'
import { requestedState, screenStateLink } from '../gallery/screen-state.ts'
import { i18n } from '../language/i18n.ts'
import { isRefusalKey } from '../language/refusal-key.ts'
import { invalidatedBy } from './refresh.ts'

/** Typed React Query hooks for every procedure of the server. */
export const trpc = createTRPCReact<AppRouter>()

/** Output types of all procedures, such as `Outputs['team']['list']`. */
export type Outputs = inferRouterOutputs<AppRouter>

/** The only place with the server's URL. Mutations are not batched, because each may set cookies. */
const url = '/api/trpc'
const headers = () => ({
  'accept-language': i18n.language,
  // Who has just changed something sees it, also where lists are read from a replica.
  ...(Date.now() - changedAt < currentMs && { 'cache-control': 'no-cache' }),
})

/** How long after a change lists are read from the primary, in milliseconds. */
const currentMs = 10_000
let changedAt = -Infinity

const screenState = requestedState()

export const client = trpc.createClient({
  links: [
    ...(screenState ? [screenStateLink(screenState)] : []),
    splitLink({
      // What another company has to answer travels alone: a batch is as slow as its slowest call.
      condition: ({ type, context }) => type === 'query' && context['isSlow'] !== true,
      true: httpBatchLink({ url, headers, maxItems: 20 }),
      false: httpLink({ url, headers }),
    }),
  ],
})

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    // Offline, a request fails and says so. By default it would wait without an end, and a screen with it.
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && refusalOf(error) === undefined && navigator.onLine,
    },
    mutations: { networkMode: 'always' },
  },
  mutationCache: new MutationCache({
    onSettled: () => void (changedAt = Date.now()),
    onSuccess: (_answer, _input, _context, mutation) => refresh(mutation.options.mutationKey),
  }),
})

/** For route loaders and guards, outside of components. */
export const queries = createTRPCQueryUtils<AppRouter>({ queryClient, client })

/** The catalogue key of a refusal; undefined for other errors, such as a network failure. */
export function refusalOf(error: unknown): RefusalKey | undefined {
  if (!(error instanceof TRPCClientError)) return undefined
  const data: unknown = error.data
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? String(data.reason) : ''
  return isRefusalKey(reason) ? reason : undefined
}

/** The id under which the server logged a failed request, for support. */
export function requestIdOf(error: unknown): string | undefined {
  return headerOf(error, 'x-request-id')
}

/** Seconds until a call that was made too often can be made again. */
export function retryAfterOf(error: unknown): number | undefined {
  const seconds = Number(headerOf(error, 'retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}

function headerOf(error: unknown, name: string): string | undefined {
  const response: unknown = error instanceof TRPCClientError ? error.meta?.['response'] : undefined
  return response instanceof Response ? (response.headers.get(name) ?? undefined) : undefined
}

/** Invalidates the queries that a mutation makes stale. */
async function refresh(mutationKey: readonly unknown[] | undefined): Promise<void> {
  const name = Array.isArray(mutationKey?.[0]) ? mutationKey[0].join('.') : ''
  const stale = Object.entries(invalidatedBy).find(([mutation]) => mutation === name)?.[1] ?? []
  await Promise.all(stale.map((query) => queryClient.invalidateQueries({ queryKey: [query.split('.')] })))
}
