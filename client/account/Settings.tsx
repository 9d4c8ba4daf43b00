import { useTranslation } from 'react-i18next'
import { Frame } from '../ui/Frame.tsx'
import { Accounts } from './Accounts.tsx'
import { Address } from './Address.tsx'
import { Danger } from './Danger.tsx'
import { Password } from './Password.tsx'
import { Profile } from './Profile.tsx'
import { Sessions } from '../session/Sessions.tsx'

/** Everything about the own account, one section below another, each with its own save. */
export function Settings() {
  const { t } = useTranslation()
  return (
    <Frame title={t('settings.title')}>
      <Profile />
      <Address />
      <Password />
      <Accounts />
      <Sessions />
      <Danger />
    </Frame>
  )
}
