import { httpBatchLink, httpLink, type OperationContext, splitLink } from '@trpc/client'
import { createTRPCQueryUtils } from '@trpc/react-query'
import type { AppRouter } from '../../server/router.ts'
import { currentLanguage } from '../language/i18n.ts'
import { confirmationLink } from './confirmation-link.ts'
import { queryClient, needsCurrentData } from './query-client.ts'
import { requestedState, screenStateLink } from './screen-state.ts'
import { trpc } from './trpc.ts'

/** The only place with the server's URL. */
const url = '/api/trpc'
const headers = (context?: OperationContext) => ({
  // A change is refused if another user has signed in since its screen was shown.
  ...(typeof context?.['userId'] === 'string' && { 'x-foyer-user': context['userId'] }),
  'accept-language': currentLanguage(),
  // Even where lists are read from a replica.
  ...(needsCurrentData() && { 'cache-control': 'no-cache' }),
})

const screenState = requestedState()

export const client = trpc.createClient({
  links: [
    confirmationLink((shownId) => void reloadForUser(shownId)),
    ...(screenState ? [screenStateLink(screenState)] : []),
    splitLink({
      // Calls to third parties are not batched: a batch is as slow as its slowest call.
      condition: ({ type, context }) => type === 'query' && context['isSlow'] !== true && context['isAction'] !== true,
      true: httpBatchLink({ url, headers: () => headers(), maxItems: 20 }),
      false: httpLink({ url, headers: ({ op }) => headers(op.context) }),
    }),
  ],
})

/** For route loaders and guards outside components. */
export const queries = createTRPCQueryUtils<AppRouter>({ queryClient, client })

/** Loads the page again if another user has signed in: it shows the data of the former one. */
async function reloadForUser(shownId: unknown): Promise<void> {
  // Without a connection, the refusal stays on the screen.
  const session = await queries.session.get.fetch(undefined, { staleTime: 0 }).catch(() => undefined)
  if (session !== undefined && session?.user.id !== shownId) location.reload()
}
