import { useHotkeys } from '@mantine/hooks'
import { Notifications, notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../language/translation.ts'
import { useReason } from './ErrorMessage.tsx'
import classes from './toast.module.css'

/** How long a toast stays, in milliseconds: from the moment when it was last hovered or had the focus. */
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
    // The toast itself waits: the package pauses only while the mouse is on it.
    autoClose: false,
    renderNotification: () => <Toast message={message} undo={undo} onHide={hide} />,
  })
}

let count = 0

function Toast({ message, undo, onHide }: { message: string; undo: Undo | undefined; onHide: () => void }) {
  const { t } = useTranslation()
  const reasonOf = useReason()
  const [isPaused, setPaused] = useState(false)
  const pause = () => setPaused(true)
  const resume = () => setPaused(false)
  const latest = useRef(onHide)
  const revert = () => {
    onHide()
    undo?.().then(
      () => toast(t('toast.undone')),
      (error: unknown) => toast(t('toast.undoFailed', { reason: reasonOf(error) })),
    )
  }
  // The toast is far from what was done, in the order of the Tab key.
  useHotkeys(undo ? [['mod+Z', revert]] : [])
  useEffect(() => {
    if (isPaused) return
    const timer = setTimeout(() => latest.current(), shownMs)
    return () => clearTimeout(timer)
  }, [isPaused])
  return (
    <div
      className={classes.toast}
      data-toast
      onMouseEnter={pause}
      onMouseLeave={resume}
      onFocus={pause}
      onBlur={resume}
    >
      <span className={classes.message}>{message}</span>
      {undo && (
        <button type="button" className={classes.undo} aria-keyshortcuts="Control+Z Meta+Z" onClick={revert}>
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
      limit={3}
      containerWidth={480}
      transitionDuration={160}
      className={classes.container ?? ''}
      aria-live="polite"
    />
  )
}
