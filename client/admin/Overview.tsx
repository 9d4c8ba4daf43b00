import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ErrorCard } from '../ui/ErrorCard.tsx'
import { Page } from '../ui/Page.tsx'
import { PageLoading } from '../ui/PageStates.tsx'
import { Section } from '../ui/Section.tsx'
import { Tiles } from '../ui/Tiles.tsx'
import { FiguresByDay } from './FiguresByDay.tsx'
import { Revenue } from './Revenue.tsx'
import classes from './Overview.module.css'

/** Totals of this installation, and figures of the last thirty days. */
export function Overview() {
  const { t } = useTranslation()
  const { data: figures, error, refetch } = trpc.admin.overview.useQuery()
  const [{ hasPayments }] = trpc.session.options.useSuspenseQuery()
  if (error && !figures) {
    return (
      <Page title={t('installation.overview')} isWide>
        <ErrorCard error={error} onTryAgain={() => void refetch()} />
      </Page>
    )
  }
  if (!figures) return <PageLoading isWide />
  return (
    <Page title={t('installation.overview')} isWide>
      <Totals figures={figures} />
      {hasPayments && <Revenue />}
      <div className={classes.charts}>
        <Section title={t('installation.activeByDay')} description={t('installation.activeByDayDescription')}>
          <FiguresByDay label={t('installation.activeByDay')} days={toFigures(figures.activeUsersByDay)} />
        </Section>
        <Section title={t('installation.signUps')} description={t('installation.lastDays')}>
          <FiguresByDay label={t('installation.signUps')} days={toFigures(figures.signUps)} />
        </Section>
        <Section title={t('installation.signIns')} description={t('installation.lastDays')}>
          <FiguresByDay label={t('installation.signIns')} days={toFigures(figures.signIns)} />
        </Section>
        <Section title={t('installation.newOrganizations')} description={t('installation.lastDays')}>
          <FiguresByDay label={t('installation.newOrganizations')} days={toFigures(figures.newOrganizations)} />
        </Section>
        <Section title={t('installation.mailTimes')} description={t('installation.mailTimesDescription')}>
          <FiguresByDay
            label={t('installation.mailTimes')}
            unit={t('installation.secondsHead')}
            days={figures.mailDelayByDay.map(({ day, median }) => ({ day, figure: median }))}
          />
        </Section>
      </div>
    </Page>
  )
}

const toFigures = (days: readonly { day: string; count: number | null }[]) =>
  days.map(({ day, count }) => ({ day, figure: count }))

function Totals({ figures }: { figures: Outputs['admin']['overview'] }) {
  const { t, language } = useTranslation()
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const { mailDelayOfLastDay, queuedMails, failedJobs, failingEndpoints, rejectedMails, openDisputes } = figures
  const mailTime =
    mailDelayOfLastDay === null
      ? '—'
      : t('installation.seconds', {
          median: number.format(mailDelayOfLastDay.median),
          p95: number.format(mailDelayOfLastDay.p95),
        })
  // Shown only if there is something to do.
  const tasks = [
    { label: t('installation.queuedMails'), count: queuedMails ?? 0, isAlarming: false, to: '/admin/mails' },
    { label: t('installation.failedJobs'), count: failedJobs, isAlarming: true, to: '/admin/system' },
    { label: t('installation.failingEndpoints'), count: failingEndpoints, isAlarming: true, to: '/admin/webhooks' },
    { label: t('installation.rejectedMails'), count: rejectedMails, isAlarming: true, to: '/admin/mails' },
    { label: t('admin.openDisputes'), count: openDisputes, isAlarming: true, to: '/admin/payments' },
  ].filter(({ count }) => count > 0)
  return (
    <Tiles
      tiles={[
        { label: t('installation.users'), value: number.format(figures.users), to: '/admin/users' },
        { label: t('installation.activeUsers'), value: number.format(figures.activeUsers) },
        {
          label: t('installation.organizations'),
          value: number.format(figures.organizations),
          to: '/admin/organizations',
        },
        { label: t('installation.mailTime'), value: mailTime },
        ...tasks.map(({ count, ...tile }) => ({ ...tile, value: number.format(count) })),
      ]}
    />
  )
}
