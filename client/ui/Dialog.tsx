import { Button, Group, Modal } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './Dialog.module.css'

type DialogProps = {
  title: string
  lead?: ReactNode
  size?: number
  /** Closed only by its own button: closing it with Escape, a click outside or the cross would lose its content. */
  isKept?: boolean
  onClose: () => void
  children: ReactNode
}

/** Modal dialog. Renders its own <h2>, because Mantine's title is in a <header>: a second banner landmark. */
export function Dialog({ title, lead, size = 520, isKept = false, onClose, children }: DialogProps) {
  const { t } = useTranslation()
  useFocusReturn()
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={size}
      centered
      returnFocus={false}
      closeOnEscape={!isKept}
      closeOnClickOutside={!isKept}
      classNames={{ content: classes.content ?? '' }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <Modal.Body className={classes.body}>
          <div className={classes.top}>
            <div>
              <h2>{title}</h2>
              {lead !== undefined && <p>{lead}</p>}
            </div>
            {!isKept && <Modal.CloseButton aria-label={t('common.close')} />}
          </div>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

type DialogActionsProps = {
  /** The action is running and cannot be cancelled. */
  isBusy?: boolean
  onClose: () => void
  children: ReactNode
}

/** The buttons of a dialog: cancel first, then the action. They stay visible while a tall dialog is scrolled. */
export function DialogActions({ isBusy = false, onClose, children }: DialogActionsProps) {
  const { t } = useTranslation()
  return (
    <Group justify="flex-end" className={classes.actions ?? ''}>
      <Button variant="default" disabled={isBusy} onClick={onClose}>
        {t('common.cancel')}
      </Button>
      {children}
    </Group>
  )
}

/**
 * Returns the focus to the element that opened the dialog. A menu item no longer exists by then, so the menu's button
 * gets it. If that was removed too, as with the row of a removed member, the heading of the screen gets it.
 */
function useFocusReturn(): void {
  // Read before the menu closes and the dialog takes the focus.
  const [opener] = useState(() => openerOf(document.activeElement))
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return
        const target = opener?.isConnected ? opener : document.querySelector<HTMLElement>('main h1')
        target?.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}

function openerOf(active: Element | null): HTMLElement | null {
  if (!(active instanceof HTMLElement)) return null
  const menuButton = active.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return menuButton ? document.getElementById(menuButton) : active
}
