import { accountRouter } from './account/router.ts'
import { router } from './procedure.ts'
import { sessionRouter } from './session/router.ts'

/** Every capability of Foyer, by room. */
export const appRouter = router({
  session: sessionRouter,
  account: accountRouter,
})

/** What the client knows of the server. */
export type AppRouter = typeof appRouter
