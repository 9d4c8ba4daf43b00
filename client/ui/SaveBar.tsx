import { Button } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from '../language/translation.ts'
import { Confirm } from './Confirm.tsx'
import { useFocusReturn } from './focus-return.ts'
import classes from './SaveBar.module.css'

type SaveBarProps = { isDirty: boolean; isSaving: boolean; onDiscard: () => void }

/**
 * Appears at the bottom of a form with unsaved changes, and stays visible while scrolling. Leaving the screen with
 * unsaved changes asks first.
 */
export function SaveBar({ isDirty, isSaving, onDiscard }: SaveBarProps) {
  const { t } = useTranslation()
  const isUnsaved = isDirty && !isSaving
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  if (!isDirty && !isSaving) return null
  return (
    <Bar>
      {leaving.status === 'blocked' && (
        <Confirm
          title={t('unsaved.title')}
          description={t('unsaved.description')}
          action={t('unsaved.leave')}
          isPending={false}
          error={null}
          onConfirm={leaving.proceed}
          onClose={leaving.reset}
        />
      )}
      <span className={classes.text}>{t('unsaved.note')}</span>
      <Button variant="default" size="sm" disabled={isSaving} onClick={onDiscard}>
        {t('unsaved.discard')}
      </Button>
      <Button type="submit" size="sm" loading={isSaving}>
        {t('common.save')}
      </Button>
    </Bar>
  )
}

/** Mounted while there are changes. After saving, the focus returns to the field that was changed first. */
function Bar({ children }: { children: ReactNode }) {
  useFocusReturn()
  // It may have appeared over the field that is being typed in.
  useEffect(() => {
    // Newer browsers return a promise.
    void document.activeElement?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div className={classes.bar} data-bar>
      {children}
    </div>
  )
}
