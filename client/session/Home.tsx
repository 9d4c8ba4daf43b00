import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { MyInvitations } from '../invitation/MyInvitations.tsx'
import { MyOrganizations } from '../organization/MyOrganizations.tsx'
import { trpc } from '../app/trpc.ts'
import { Facts, Section } from '../ui/Section.tsx'
import { SessionEnded } from '../ui/ScreenStates.tsx'
import { Page } from '../ui/Page.tsx'
import { useDateFormat } from '../ui/moment.ts'

export function Home() {
  const { t } = useTranslation()
  const moment = useDateFormat()
  const [current] = trpc.session.get.useSuspenseQuery()
  if (!current) return <SessionEnded />
  const { user, session } = current
  return (
    <Page title={t('home.title', { name: user.name })}>
      <Text c="dimmed" mb="xl">
        {t('home.lead')}
      </Text>
      <MyInvitations />
      <MyOrganizations />
      <Section title={t('home.account')}>
        <Facts
          facts={[
            [t('field.name'), user.name],
            [
              t('field.email'),
              <>
                {user.email}{' '}
                <Badge key="state" variant="outline" color={user.emailVerified ? 'var(--good)' : 'var(--warn)'}>
                  {user.emailVerified ? t('home.verified') : t('home.unverified')}
                </Badge>
              </>,
            ],
            [t('home.since'), moment.day(user.createdAt)],
          ]}
        />
      </Section>
      <Section title={t('home.session')}>
        <Facts
          facts={[
            [t('home.signedInAt'), moment.time(session.createdAt)],
            [t('home.endsAt'), moment.time(session.expiresAt)],
          ]}
        />
      </Section>
    </Page>
  )
}
