import { useTranslation } from '../language/translation.ts'
import { SettingsTitle } from '../ui/SettingsTitle.tsx'
import { EmailSection } from './EmailSection.tsx'
import { Profile } from './Profile.tsx'

export function ProfileSettings() {
  const { t } = useTranslation()
  return (
    <>
      <SettingsTitle section={t('settings.profile')} page={t('common.mySettings')} />
      <Profile />
      <EmailSection />
    </>
  )
}
