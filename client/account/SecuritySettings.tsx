import { useTranslation } from '../language/translation.ts'
import { Passkeys } from '../two-factor/Passkeys.tsx'
import { Protection } from '../two-factor/Protection.tsx'
import { TwoFactor } from '../two-factor/TwoFactor.tsx'
import { SectionBoundary } from '../ui/SectionBoundary.tsx'
import { SettingsTitle } from '../ui/SettingsTitle.tsx'
import { Accounts } from './Accounts.tsx'

export function SecuritySettings() {
  const { t } = useTranslation()
  return (
    <>
      <SettingsTitle section={t('settings.security')} page={t('common.mySettings')} />
      <SectionBoundary isOptional>
        <Protection />
      </SectionBoundary>
      <SectionBoundary title={t('accounts.title')}>
        <Accounts />
      </SectionBoundary>
      <SectionBoundary title={t('passkeys.title')}>
        <Passkeys />
      </SectionBoundary>
      <SectionBoundary title={t('twoFactor.title')}>
        <TwoFactor />
      </SectionBoundary>
    </>
  )
}
