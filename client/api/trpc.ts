import { createTRPCReact } from '@trpc/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/router.ts'

/** Typed React Query hooks for every procedure of the server. */
export const trpc = createTRPCReact<AppRouter>()

/** Output types of all procedures, such as `Outputs['team']['list']`. */
export type Outputs = inferRouterOutputs<AppRouter>
