import { Passkeys } from '../two-factor/Passkeys.tsx'
import { Protection } from '../two-factor/Protection.tsx'
import { TwoFactor } from '../two-factor/TwoFactor.tsx'
import { useTranslation } from 'react-i18next'
import { Accounts } from './Accounts.tsx'
import { SettingsTitle } from './SettingsTitle.tsx'

export function SecuritySettings() {
  const { t } = useTranslation()
  return (
    <>
      <SettingsTitle section={t('settings.security')} page={t('settings.title')} />
      <Protection />
      <Accounts />
      <Passkeys />
      <TwoFactor />
    </>
  )
}
