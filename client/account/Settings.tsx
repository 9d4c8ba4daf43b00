import { Alert, Group } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { linkErrors, isLinkErrorCode } from '../../shared/errors.ts'
import { ButtonLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'
import { Accounts } from './Accounts.tsx'
import { Address } from './Address.tsx'
import { DangerZone } from './DangerZone.tsx'
import { Password } from './Password.tsx'
import { Profile } from './Profile.tsx'
import { Sessions } from '../session/Sessions.tsx'

/** Account settings; each section is saved separately. */
export function Settings() {
  const { t } = useTranslation()
  const { error } = useSearch({ from: '/shell/settings' })
  // A failed emailed link redirects here with an error code in the query.
  const problem = error !== undefined && isLinkErrorCode(error) ? linkErrors[error] : undefined
  return (
    <Page title={t('settings.title')}>
      {problem && (
        <Alert className="refused" variant="outline" color="danger" role="alert" mb="xl">
          {t(`refusal.${problem}`)}
        </Alert>
      )}
      <Group justify="flex-end" mb="md">
        <ButtonLink to="/settings/activity" variant="default">
          {t('activity.open')}
        </ButtonLink>
      </Group>
      <Profile />
      <Address />
      <Password />
      <Accounts />
      <Sessions />
      <DangerZone />
    </Page>
  )
}
