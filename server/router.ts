import { accountRouter } from './account/router.ts'
import { adminRouter } from './admin/router.ts'
import { invitationRouter } from './invitation/router.ts'
import { organizationRouter } from './organization/router.ts'
import { paymentRouter } from './payment/router.ts'
import { router } from './procedure.ts'
import { sessionRouter } from './session/router.ts'
import { teamRouter } from './team/router.ts'

/** Every capability of Foyer, by room. */
export const appRouter = router({
  session: sessionRouter,
  account: accountRouter,
  organization: organizationRouter,
  team: teamRouter,
  invitation: invitationRouter,
  payment: paymentRouter,
  admin: adminRouter,
})

/** What the client knows of the server. */
export type AppRouter = typeof appRouter
