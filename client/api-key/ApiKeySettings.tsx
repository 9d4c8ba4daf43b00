import { useTranslation } from '../language/translation.ts'
import { SettingsTitle } from '../ui/SettingsTitle.tsx'
import { ApiKeys } from './ApiKeys.tsx'

export function ApiKeySettings() {
  const { t } = useTranslation()
  return (
    <>
      <SettingsTitle section={t('common.apiKeys')} page={t('common.mySettings')} />
      <ApiKeys />
    </>
  )
}
