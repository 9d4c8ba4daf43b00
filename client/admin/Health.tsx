import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useDateFormat } from '../ui/date-format.ts'
import { ErrorCard } from '../ui/ErrorCard.tsx'
import { CardsLoading } from '../ui/PageStates.tsx'
import { Facts, Section } from '../ui/Section.tsx'
import { Tag, type Tone } from '../ui/Tag.tsx'
import { healthQuery, type HealthReport } from './health-query.ts'

/** Milliseconds between two checks. */
const checkMs = 15_000

/** The health of the installation, one line for each of its parts, checked again while it is shown. */
export function Health() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({ ...healthQuery, refetchInterval: checkMs })
  const { data: settings } = trpc.admin.settings.useQuery()
  const hasMailServer = settings?.find(({ name }) => name === 'SMTP_URL')?.isSet
  if (!data) {
    return (
      <Section title={t('installation.health')} isBare>
        {error ? <ErrorCard error={error} onTryAgain={() => void refetch()} /> : <CardsLoading />}
      </Section>
    )
  }
  return (
    <Section
      title={t('installation.health')}
      description={data.status === 'ok' && hasMailServer === true ? t('installation.healthy') : undefined}
    >
      <Parts report={data} hasMailServer={hasMailServer ?? true} />
    </Section>
  )
}

function Parts({ report, hasMailServer }: { report: HealthReport; hasMailServer: boolean }) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const { version, commit, database, migrations, outbox, jobs } = report
  const state = (
    label: string,
    value: string | undefined,
    failure: { tone: Tone; text: string },
    okText = t('installation.operational'),
  ) => {
    const { tone, text } = value === 'ok' ? { tone: 'good' as const, text: okText } : failure
    return value === undefined ? undefined : { label, value: <Tag tone={tone}>{text}</Tag> }
  }
  const oldest =
    outbox && outbox.oldestSeconds > 0
      ? ` · ${t('installation.oldest', { time: dateFormat.ago(outbox.oldestSeconds) })}`
      : ''
  const parts = [
    state(t('installation.database'), database, { tone: 'bad', text: t('installation.unavailable') }),
    state(
      t('installation.migrations'),
      migrations,
      { tone: 'bad', text: t('installation.missing') },
      t('installation.upToDate'),
    ),
    state(t('installation.jobs'), jobs, { tone: 'attention', text: t('installation.delayed') }),
    outbox && {
      label: t('installation.mailQueue'),
      value: !hasMailServer ? (
        <>
          <Tag tone="attention">{t('installation.notSetUp')}</Tag> {t('installation.noMailServer')}
        </>
      ) : (
        <>
          <Tag tone={outbox.status === 'ok' ? 'good' : 'bad'}>
            {t(outbox.status === 'ok' ? 'installation.operational' : 'installation.delayed')}
          </Tag>{' '}
          {t('installation.queued', { count: outbox.waiting })}
          {oldest}
        </>
      ),
    },
    version !== undefined && {
      label: t('installation.version'),
      value: commit && commit !== 'unknown' ? `${version} (${commit.slice(0, 7)})` : version,
    },
  ]
  return <Facts facts={parts.flatMap((part) => (part ? [[part.label, part.value]] : []))} />
}
