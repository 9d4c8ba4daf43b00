import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './SaveBar.module.css'

type SaveBarProps = { isDirty: boolean; isSaving: boolean; onDiscard: () => void }

/** Appears at the bottom of a form with unsaved changes, and stays in sight while it is scrolled. */
export function SaveBar({ isDirty, isSaving, onDiscard }: SaveBarProps) {
  const { t } = useTranslation()
  if (!isDirty && !isSaving) return null
  return (
    <div className={classes.bar}>
      <span className={classes.text}>{t('settings.unsaved')}</span>
      <Button variant="default" size="sm" disabled={isSaving} onClick={onDiscard}>
        {t('settings.discard')}
      </Button>
      <Button type="submit" size="sm" loading={isSaving}>
        {t('settings.save')}
      </Button>
    </div>
  )
}
