import { useTranslation } from 'react-i18next'
import { type Outputs, trpc } from '../app/trpc.ts'
import { Failed } from '../ui/Failed.tsx'
import { Page } from '../ui/Page.tsx'
import { PageLoading } from '../ui/ScreenStates.tsx'
import { Section } from '../ui/Section.tsx'
import { Tiles } from '../ui/Tiles.tsx'
import { CountsByDay } from './CountsByDay.tsx'
import classes from './Overview.module.css'
import { Revenue } from './Revenue.tsx'

/** Totals of this installation, and figures of the last thirty days. */
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
      <Totals figures={figures} />
      {hasPayments && <Revenue />}
      <div className={classes.charts}>
        <Section title={t('operation.signUps')} why={t('operation.lastDays')}>
          <CountsByDay label={t('operation.signUps')} days={figures.signUps} />
        </Section>
        <Section title={t('operation.signIns')} why={t('operation.lastDays')}>
          <CountsByDay label={t('operation.signIns')} days={figures.signIns} />
        </Section>
        <Section title={t('operation.newOrganizations')} why={t('operation.lastDays')}>
          <CountsByDay label={t('operation.newOrganizations')} days={figures.newOrganizations} />
        </Section>
        <Section title={t('operation.mailTimes')} why={t('operation.mailTimesWhy')}>
          <CountsByDay label={t('operation.mailTimes')} days={figures.mailTimes} />
        </Section>
      </div>
    </Page>
  )
}

function Totals({ figures }: { figures: Outputs['admin']['overview'] }) {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 })
  const { mailSeconds, waitingMails, failedJobs, failingEndpoints } = figures
  const mailTime =
    mailSeconds === null
      ? '—'
      : t('operation.seconds', { median: number.format(mailSeconds.median), p95: number.format(mailSeconds.p95) })
  return (
    <Tiles
      tiles={[
        { label: t('operation.users'), value: number.format(figures.users), to: '/admin/users' },
        { label: t('operation.activeUsers'), value: number.format(figures.activeUsers) },
        {
          label: t('operation.organizations'),
          value: number.format(figures.organizations),
          to: '/admin/organizations',
        },
        {
          label: t('operation.waitingMails'),
          value: waitingMails === null ? '—' : number.format(waitingMails),
          to: '/admin/mails',
        },
        { label: t('operation.mailTime'), value: mailTime },
        {
          label: t('operation.failedJobs'),
          value: number.format(failedJobs),
          isAlarming: failedJobs > 0,
          to: '/admin/system',
        },
        {
          label: t('operation.failingEndpoints'),
          value: number.format(failingEndpoints),
          isAlarming: failingEndpoints > 0,
          to: '/admin/webhooks',
        },
      ]}
    />
  )
}
