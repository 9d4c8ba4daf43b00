import { Notifications, notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'
import { useTranslation } from 'react-i18next'
import { useReason } from './Form.tsx'
import classes from './toast.module.css'

/** How long a toast stays. It waits while it is pointed at or has the focus. */
const shownMs = 6_000

/** What a toast can take back. If it is refused, another toast gives the reason. */
type Undo = () => Promise<unknown>

/** Says that something succeeded, wherever the page is scrolled to. Refusals are shown beside their cause instead. */
export function toast(message: string, undo?: Undo): void {
  const id = `toast-${count++}`
  const hide = () => notifications.hide(id)
  notifications.show({ id, message, renderNotification: () => <Toast message={message} undo={undo} onHide={hide} /> })
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
            undo().catch((error: unknown) => toast(t('toast.undoFailed', { reason: reasonOf(error) })))
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

/** The place where toasts appear. */
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
