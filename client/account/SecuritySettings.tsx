import { useTranslation } from '../language/translation.ts'
import { Passkeys } from '../two-factor/Passkeys.tsx'
import { Protection } from '../two-factor/Protection.tsx'
import { TwoFactor } from '../two-factor/TwoFactor.tsx'
import { Part } from '../ui/Part.tsx'
import { SettingsTitle } from '../ui/SettingsTitle.tsx'
import { Accounts } from './Accounts.tsx'

export function SecuritySettings() {
  const { t } = useTranslation()
  return (
    <>
      <SettingsTitle section={t('settings.security')} page={t('common.mySettings')} />
      <Part isOptional>
        <Protection />
      </Part>
      <Part title={t('accounts.title')}>
        <Accounts />
      </Part>
      <Part title={t('passkeys.title')}>
        <Passkeys />
      </Part>
      <Part title={t('twoFactor.title')}>
        <TwoFactor />
      </Part>
    </>
  )
}
