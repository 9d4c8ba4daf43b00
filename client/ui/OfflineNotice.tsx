import { useNetwork } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import classes from './OfflineNotice.module.css'

/** Says on every screen, as long as it lasts, that there is no connection. What was typed stays. */
export function OfflineNotice() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  return (
    <output className={classes.notice}>
      {online ? '' : <span className={classes.text}>{t('failure.offline')}</span>}
    </output>
  )
}
