import { useNetwork } from '@mantine/hooks'
import { useTranslation } from '../language/translation.ts'
import classes from './OfflineNotice.module.css'

/** Shown on every screen while there is no connection. Unsaved input stays. */
export function OfflineNotice() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  return (
    <output className={classes.notice}>
      {online ? '' : <span className={classes.text}>{t('failure.offlineNotice')}</span>}
    </output>
  )
}
