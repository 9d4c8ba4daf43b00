import { useTranslation } from '../language/translation.ts'
import { SettingsTitle } from '../ui/SettingsTitle.tsx'
import { DangerZone } from './DangerZone.tsx'

export function DeleteSettings() {
  const { t } = useTranslation()
  return (
    <>
      <SettingsTitle section={t('deleteAccount.title')} page={t('common.mySettings')} />
      <DangerZone />
    </>
  )
}
