import { useTranslation } from '../language/translation.ts'
import { DangerZone } from './DangerZone.tsx'
import { SettingsTitle } from './SettingsTitle.tsx'

export function DeleteSettings() {
  const { t } = useTranslation()
  return (
    <>
      <SettingsTitle section={t('deleteAccount.title')} page={t('settings.title')} />
      <DangerZone />
    </>
  )
}
