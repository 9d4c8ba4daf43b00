import type { TRPCClientError, TRPCLink } from '@trpc/client'
import { observable, type Unsubscribable } from '@trpc/server/observable'
import type { AppRouter } from '../../server/router.ts'
import type { RefusalKey } from '../../shared/errors.ts'
import { refusalOf } from './call-errors.ts'
import { askForConfirmation, type ConfirmationKind, isConfirming } from './confirmation.ts'
import { currentUserId } from './query-client.ts'

/** What the user has to confirm before a call that is refused with this key succeeds. */
const confirmationFor: Partial<Record<RefusalKey, ConfirmationKind>> = {
  SESSION_IS_NOT_FRESH: 'identity',
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION: 'identity',
  SECOND_FACTOR_REQUIRED: 'factor',
}

/**
 * Asks the user for the confirmation that a refused call requires, and then sends the call again, for the same user.
 * The call fails with its refusal if the user cancels, or has left the screen. Screens of an organization that requires
 * a second factor say so themselves; a query that a user starts has `isAction` in its context. `onUserChanged` is
 * called if another user has signed in since the screen was shown.
 */
export const confirmationLink =
  (onUserChanged: (shownId: unknown) => void): TRPCLink<AppRouter> =>
  () =>
  ({ op: asked, next }) =>
    observable((observer) => {
      const isAction = asked.type === 'mutation' || asked.context['isAction'] === true
      const op = isAction ? { ...asked, context: { ...asked.context, userId: currentUserId() } } : asked
      const screen = location.pathname
      const isOfDialog = isConfirming()
      let sent: Unsubscribable | undefined
      let isCanceled = false
      const confirm = async (kind: ConfirmationKind, error: TRPCClientError<AppRouter>) => {
        const isConfirmed = location.pathname === screen && (await askForConfirmation(kind))
        if (isCanceled) return
        if (isConfirmed && location.pathname === screen) send()
        else observer.error(error)
      }
      const send = () => {
        sent = next(op).subscribe({
          ...observer,
          error: (error) => {
            const key = refusalOf(error)
            const kind = key && confirmationFor[key]
            if (kind && !isOfDialog && (kind === 'identity' || isAction)) void confirm(kind, error)
            else observer.error(error)
            if (key === 'USER_CHANGED') onUserChanged(op.context['userId'])
          },
        })
      }
      send()
      return () => {
        isCanceled = true
        sent?.unsubscribe()
      }
    })
