import type { inferRouterOutputs } from '@trpc/server'
import { accountProcedures } from './account/account-procedures.ts'
import { adminRouter } from './admin/router.ts'
import { apiKeyRouter } from './api-key/router.ts'
import { invitationRouter } from './invitation/router.ts'
import { oauthRouter, tokenRouter } from './oauth/router.ts'
import { organizationRouter } from './organization/router.ts'
import { paymentRouter } from './payment/router.ts'
import { pictureRouter } from './picture/router.ts'
import { router } from './procedure/trpc.ts'
import { sessionProcedures } from './sign-in/session-procedures.ts'
import { signInProcedures } from './sign-in/sign-in-procedures.ts'
import { signUpProcedures } from './sign-in/sign-up-procedures.ts'
import { teamRouter } from './team/router.ts'
import { passkeyRouter } from './two-factor/passkey-procedures.ts'
import { twoFactorRouter } from './two-factor/router.ts'
import { webhookRouter } from './webhook/router.ts'

/** All procedures, grouped by the router names that clients use. */
export const appRouter = router({
  session: router({ ...sessionProcedures, ...signInProcedures }),
  account: router({ ...accountProcedures, ...signUpProcedures }),
  organization: organizationRouter,
  team: teamRouter,
  twoFactor: twoFactorRouter,
  passkey: passkeyRouter,
  invitation: invitationRouter,
  picture: pictureRouter,
  payment: paymentRouter,
  token: tokenRouter,
  oauth: oauthRouter,
  apiKey: apiKeyRouter,
  admin: adminRouter,
  webhook: webhookRouter,
})

/** The API type used by the client. */
export type AppRouter = typeof appRouter

type Outputs = inferRouterOutputs<AppRouter>

/** `router.procedure` of every procedure, such as `team.list`. */
export type ProcedureName = {
  [Name in keyof Outputs]: `${Name & string}.${keyof Outputs[Name] & string}`
}[keyof Outputs]
