import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePendingConfirmation } from '../api/confirmation.ts'
import { useTranslation } from '../language/translation.ts'
import { useFocusReturn } from './focus-return.ts'
import classes from './Dialog.module.css'

type DialogProps = {
  title: string
  description?: ReactNode
  size?: number
  /** Closed only by its own button: closing it with Escape, a click outside or the cross would lose its content. */
  isPersistent?: boolean
  /** Asks the user to confirm a call: the dialog that made it is hidden meanwhile, and keeps what was typed. */
  isConfirmation?: boolean
  onClose: () => void
  children: ReactNode
}

/** Modal dialog. Renders its own <h2>, because Mantine's title is in a <header>: a second banner landmark. */
export function Dialog({
  title,
  description,
  size = 520,
  isPersistent = false,
  isConfirmation = false,
  onClose,
  children,
}: DialogProps) {
  const { t } = useTranslation()
  const isHidden = usePendingConfirmation() !== undefined && !isConfirmation
  useFocusReturn()
  return (
    <Modal.Root
      opened={!isHidden}
      keepMounted
      onClose={onClose}
      size={size}
      centered
      returnFocus={false}
      closeOnEscape={!isPersistent}
      closeOnClickOutside={!isPersistent}
      classNames={{ content: classes.content ?? '' }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <Modal.Body className={classes.body}>
          <div className={classes.top}>
            <div>
              <h2>{title}</h2>
              {description !== undefined && <p>{description}</p>}
            </div>
            {!isPersistent && <Modal.CloseButton aria-label={t('common.close')} />}
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

/**
 * The buttons of a dialog: cancel first, which has the initial focus unless a field takes it, then the action. They
 * stay visible while a tall dialog is scrolled.
 */
export function DialogActions({ isBusy = false, onClose, children }: DialogActionsProps) {
  const { t } = useTranslation()
  return (
    <Group justify="flex-end" className={classes.actions ?? ''}>
      <Button variant="default" data-autofocus disabled={isBusy} onClick={onClose}>
        {t('common.cancel')}
      </Button>
      {children}
    </Group>
  )
}
