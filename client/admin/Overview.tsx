import { Space } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Outputs, trpc } from '../app/trpc.ts'
import { Failed } from '../ui/Failed.tsx'
import { Page } from '../ui/Page.tsx'
import { PageLoading } from '../ui/ScreenStates.tsx'
import { Facts, Section } from '../ui/Section.tsx'
import { CountsByDay } from './CountsByDay.tsx'
import { Revenue } from './Revenue.tsx'

/** What there is in this installation, and what has happened in the last thirty days. */
export function Overview() {
  const { t } = useTranslation()
  const { data: figures, error, refetch } = trpc.admin.overview.useQuery()
  const [{ hasPayments }] = trpc.session.options.useSuspenseQuery()
  if (error && !figures) {
    return (
      <Page title={t('operation.overview')} isWide>
        <Failed error={error} onTryAgain={() => void refetch()} />
      </Page>
    )
  }
  if (!figures) return <PageLoading />
  return (
    <Page title={t('operation.overview')} isWide>
      <Section>
        <Totals figures={figures} />
      </Section>
      <Section title={t('operation.signUps')} why={t('operation.lastDays')}>
        <CountsByDay label={t('operation.signUps')} days={figures.signUps} />
      </Section>
      <Section title={t('operation.signIns')} why={t('operation.lastDays')}>
        <CountsByDay label={t('operation.signIns')} days={figures.signIns} />
      </Section>
      <Section title={t('operation.newOrganizations')} why={t('operation.lastDays')}>
        <CountsByDay label={t('operation.newOrganizations')} days={figures.newOrganizations} />
      </Section>
      {hasPayments && <Revenue />}
      <Section title={t('operation.mailTimes')} why={t('operation.mailTimesWhy')}>
        <CountsByDay label={t('operation.mailTimes')} days={figures.mailTimes} />
      </Section>
      <Space h="sm" />
    </Page>
  )
}

function Totals({ figures }: { figures: Outputs['admin']['overview'] }) {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 })
  const { mailSeconds } = figures
  return (
    <Facts
      facts={[
        [t('operation.users'), number.format(figures.users)],
        [t('operation.activeUsers'), number.format(figures.activeUsers)],
        [t('operation.organizations'), number.format(figures.organizations)],
        [
          t('operation.mailTime'),
          mailSeconds === null
            ? '—'
            : t('operation.seconds', {
                median: number.format(mailSeconds.median),
                p95: number.format(mailSeconds.p95),
              }),
        ],
        [t('operation.waitingMails'), figures.waitingMails === null ? '—' : number.format(figures.waitingMails)],
        [t('operation.failedJobs'), number.format(figures.failedJobs)],
        [t('operation.failingEndpoints'), number.format(figures.failingEndpoints)],
      ]}
    />
  )
}
