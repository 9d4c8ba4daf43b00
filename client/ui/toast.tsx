import { Notifications, notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'
import { useTranslation } from '../language/translation.ts'
import { useReason } from './Refused.tsx'
import classes from './toast.module.css'

/** How long a toast stays, in milliseconds. Paused while it is hovered or has the focus. */
const shownMs = 6_000

/** Reverts the action that a toast reports. If that is refused, another toast shows the reason. */
type Undo = () => Promise<unknown>

/** Shows that an action succeeded, at any scroll position. Refusals are shown next to their cause instead. */
export function toast(message: string, undo?: Undo): void {
  const id = `toast-${count++}`
  const hide = () => notifications.hide(id)
  notifications.show({
    id,
    message,
    role: 'status',
    renderNotification: () => <Toast message={message} undo={undo} onHide={hide} />,
  })
}

let count = 0

function Toast({ message, undo, onHide }: { message: string; undo: Undo | undefined; onHide: () => void }) {
  const { t } = useTranslation()
  const reasonOf = useReason()
  return (
    <div className={classes.toast}>
      <span className={classes.message}>{message}</span>
      {undo && (
        <button
          type="button"
          className={classes.undo}
          onClick={() => {
            onHide()
            undo().then(
              () => toast(t('toast.undone')),
              (error: unknown) => toast(t('toast.undoFailed', { reason: reasonOf(error) })),
            )
          }}
        >
          {t('toast.undo')}
        </button>
      )}
      <button type="button" className={classes.close} aria-label={t('common.close')} onClick={onHide}>
        ×
      </button>
    </div>
  )
}

/** The container in which toasts appear. */
export function Toasts() {
  return (
    <Notifications
      position="bottom-center"
      autoClose={shownMs}
      limit={3}
      containerWidth={480}
      transitionDuration={160}
      aria-live="polite"
    />
  )
}
