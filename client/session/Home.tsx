import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ForMe } from '../invitation/ForMe.tsx'
import { Mine } from '../organization/Mine.tsx'
import { trpc } from '../trpc.ts'
import { Facts, Section } from '../ui/Section.tsx'
import { SignedOutMeanwhile } from '../ui/Failure.tsx'
import { Frame } from '../ui/Frame.tsx'
import { useMoment } from '../ui/moment.ts'

export function Home() {
  const { t } = useTranslation()
  const moment = useMoment()
  const [current] = trpc.session.get.useSuspenseQuery()
  if (!current) return <SignedOutMeanwhile />
  const { user, session } = current
  return (
    <Frame title={t('home.title', { name: user.name })}>
      <Text c="dimmed" mb="xl">
        {t('home.lead')}
      </Text>
      <ForMe />
      <Mine />
      <Section title={t('home.account')}>
        <Facts
          facts={[
            [t('field.name'), user.name],
            [
              t('field.email'),
              <>
                {user.email}{' '}
                <Badge key="state" variant="outline" color={user.emailVerified ? 'var(--good)' : 'var(--lamp)'}>
                  {user.emailVerified ? t('home.proven') : t('home.unproven')}
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
    </Frame>
  )
}
