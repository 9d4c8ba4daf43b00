import { z } from 'zod'
import { Id, Moment, Status } from '../../shared/account.ts'
import { listAdministrators } from '../account/administrators.ts'
import { router } from '../procedure/trpc.ts'
import { clientProcedures } from './client-procedures.ts'
import { administrator, freshAdministrator } from './guard.ts'
import { metadataProcedures } from './metadata-procedures.ts'
import { installationProcedures } from './installation-procedures.ts'
import { paymentProcedures } from './payment-procedures.ts'
import { revokeRole } from './revoke-role.ts'
import { userProcedures } from './user-procedures.ts'

const Administrator = z.object({ id: z.string(), email: z.string(), name: z.string(), createdAt: Moment })

export const adminRouter = router({
  ...userProcedures,
  ...clientProcedures,
  ...installationProcedures,
  ...metadataProcedures,
  ...paymentProcedures,

  /** All administrators, by email address. */
  administrators: administrator.output(z.array(Administrator)).query(({ ctx }) => listAdministrators(ctx.db)),

  revokeAdministrator: freshAdministrator
    .input(z.object({ userId: Id }))
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await revokeRole(ctx, input.userId)
      return { status: true }
    }),
})
