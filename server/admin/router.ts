import { z } from 'zod'
import { Timestamp } from '../../shared/schema.ts'
import { listAdministrators } from '../account/administrators.ts'
import { router } from '../procedure/trpc.ts'
import { clientProcedures } from './client-procedures.ts'
import { administratorProcedure } from './guard.ts'
import { installationProcedures } from './installation-procedures.ts'
import { metadataProcedures } from './metadata-procedures.ts'
import { paymentProcedures } from './payment-procedures.ts'
import { userProcedures } from './user-procedures.ts'

const Administrator = z.object({ id: z.string(), email: z.string(), name: z.string(), createdAt: Timestamp })

export const adminRouter = router({
  ...userProcedures,
  ...clientProcedures,
  ...installationProcedures,
  ...metadataProcedures,
  ...paymentProcedures,

  /** All administrators, by email address. */
  administrators: administratorProcedure.output(z.array(Administrator)).query(({ ctx }) => listAdministrators(ctx.db)),
})
