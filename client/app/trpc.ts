import { httpBatchLink, httpLink, splitLink, TRPCClientError } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import { MutationCache, QueryClient } from '@tanstack/react-query'
import { isRefusalKey, type RefusalKey } from '../../shared/errors.ts'
import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/router.ts'
import { i18n } from '../language/i18n.ts'
import { staleAfter } from './refresh.ts'

/** The typed hooks: every procedure of the server by its router. */
export const trpc = createTRPCReact<AppRouter>()

/** What each call answers, as it arrives: `Outputs['team']['list']`. */
export type Outputs = inferRouterOutputs<AppRouter>

/** The only place that knows where the server is. Mutations travel alone, because each may set cookies. */
const url = '/api/trpc'
const headers = () => ({ 'accept-language': i18n.language })

export const client = trpc.createClient({
  links: [
    splitLink({
      condition: ({ type }) => type === 'query',
      true: httpBatchLink({ url, headers, maxItems: 20 }),
      false: httpLink({ url, headers }),
    }),
  ],
})

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: (failures, error) => failures < 2 && refusalOf(error) === undefined },
  },
  mutationCache: new MutationCache({
    onSuccess: (_answer, _input, _context, mutation) => refresh(mutation.options.mutationKey),
  }),
})

/** For loaders and guards, outside of components. */
export const queries = createTRPCQueryUtils<AppRouter>({ queryClient, client })

/** The key of the catalogue that a refusal carries; undefined for what is no refusal (no network, no server). */
export function refusalOf(error: unknown): RefusalKey | undefined {
  if (!(error instanceof TRPCClientError)) return undefined
  const data: unknown = error.data
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? String(data.reason) : ''
  return isRefusalKey(reason) ? reason : undefined
}

/** Fetches anew what a mutation made stale. */
async function refresh(mutationKey: readonly unknown[] | undefined): Promise<void> {
  const name = Array.isArray(mutationKey?.[0]) ? mutationKey[0].join('.') : ''
  const stale = Object.entries(staleAfter).find(([mutation]) => mutation === name)?.[1] ?? []
  await Promise.all(stale.map((query) => queryClient.invalidateQueries({ queryKey: [query.split('.')] })))
}
