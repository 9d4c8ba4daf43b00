import { z } from 'zod'
import { normalizeEmail, Page, Status } from '../../shared/account.ts'
import { AssignStray, DisputeRow, Stray } from '../../shared/payment.ts'
import { refuse } from '../foundation/refusal.ts'
import { assignCustomer, listDisputes, listStrays, processAgain } from '../payment/strays.ts'
import { router, signedIn } from '../procedure.ts'

/** Only administrators of this Foyer; everything here reads the role from the database. */
const administrator = signedIn.use(({ ctx, next }) =>
  ctx.user.role === 'admin' ? next() : refuse('YOU_ARE_NOT_AN_ADMINISTRATOR'),
)

export const adminRouter = router({
  /** Payment events that belong to nobody or failed, oldest first. */
  strays: administrator
    .input(Page)
    .output(z.array(Stray))
    .query(({ ctx, input }) => listStrays(ctx.db, input)),

  processAgain: administrator
    .input(z.object({ eventId: z.string().min(1).max(256) }))
    .output(z.object({ isSettled: z.boolean() }))
    .mutation(async ({ ctx, input }) => ({ isSettled: await processAgain(ctx, input.eventId, ctx.now) })),

  /** Says whose the customer of an event is; all of that customer's events follow. */
  assign: administrator
    .input(AssignStray)
    .output(Status)
    .mutation(async ({ ctx, input: { eventId, email, slug } }) => {
      const user =
        email === undefined ? null : await ctx.db.user.findUnique({ where: { email: normalizeEmail(email) } })
      const organization = slug === undefined ? null : await ctx.db.organization.findUnique({ where: { slug } })
      const owner = user
        ? { userId: user.id }
        : organization
          ? { organizationId: organization.id }
          : refuse('OWNER_NOT_FOUND')
      await assignCustomer(ctx, eventId, owner, ctx.now)
      return { status: true }
    }),

  disputes: administrator
    .input(Page)
    .output(z.array(DisputeRow))
    .query(({ ctx, input }) => listDisputes(ctx.db, input)),
})
