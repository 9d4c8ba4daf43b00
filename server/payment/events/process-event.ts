import { requireAdministratorUntilCommit } from '../../account/administrators.ts'
import { type NewEvent } from '../../event/event-rows.ts'
import { logEvent, record, recordWith } from '../../event/record.ts'
import { isUnavailable } from '../../foundation/database-errors.ts'
import { Refusal, refuse } from '../../foundation/refusal.ts'
import { statementsOf, transaction } from '../../foundation/transactions.ts'
import type { CallerContext } from '../../request/context.ts'
import {
  findStoredEvent,
  markEventDismissed,
  markEventFailed,
  pendingStates,
  parseStoredEvent,
} from '../records/stored-events.ts'
import { applyStoredEvent, reasonOf } from './apply-event.ts'

/**
 * Applies a stored event again: it may have an owner by now, or the cause of its failure may have been fixed. If it
 * still cannot be applied, the reason is stored and returned to the administrator.
 */
export async function processEvent(ctx: CallerContext, eventId: string): Promise<{ isAssigned: boolean }> {
  const row = await findStoredEvent(ctx.db, eventId)
  const event = row && parseStoredEvent(eventId, row.payload)
  if (!event || row.state === 'dismissed') refuse('EVENT_NOT_FOUND')
  if (row.state === 'applied') return { isAssigned: true }
  const by = (isAssigned: boolean): NewEvent => {
    return { type: 'payment.event_processed', actorId: ctx.user.id, subjectId: null, data: { eventId, isAssigned } }
  }
  try {
    const result = await applyStoredEvent(ctx, event, {
      from: pendingStates,
      afterApply: async (sql, { isAssigned }) => {
        await requireAdministratorUntilCommit(sql, ctx.user.id)
        await recordWith(sql, ctx, by(isAssigned))
      },
    })
    if (result) {
      logEvent(ctx, by(result.isAssigned))
      return result
    }
  } catch (error) {
    if (isUnavailable(error) || error instanceof Refusal) throw error
    const isMarked = await markEventFailed(ctx.pool, eventId, { from: pendingStates, reason: reasonOf(error) })
    if (isMarked) refuse('EVENT_CANNOT_BE_APPLIED', { cause: error })
  }
  // Another call was first: it has applied the event, or dismissed it.
  const current = await findStoredEvent(ctx.db, eventId)
  return current?.state === 'applied' ? { isAssigned: true } : refuse('EVENT_NOT_FOUND')
}

/** Dismisses an unassigned or failed event, with the administrator's reason. */
export async function dismissEvent(
  ctx: CallerContext,
  { eventId, reason }: { eventId: string; reason: string },
): Promise<void> {
  await transaction(ctx, async (tx) => {
    await requireAdministratorUntilCommit(statementsOf(tx), ctx.user.id)
    if (!(await markEventDismissed(tx, eventId, reason))) refuse('EVENT_NOT_FOUND')
    await record(tx, ctx, {
      type: 'payment.event_dismissed',
      actorId: ctx.user.id,
      subjectId: null,
      data: { eventId, reason },
    })
  })
}
