import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Page } from '../ui/Page.tsx'
import { Section } from '../ui/Section.tsx'
import { TableFilter, TableFind } from '../ui/TableControls.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { type Column } from '../ui/use-table-rows.ts'
import { Administrators } from './Administrators.tsx'
import { Health } from './Health.tsx'

type JobRow = Outputs['admin']['jobs'][number]
type SettingRow = Outputs['admin']['settings'][number]

/** The installation itself: its health, background jobs, administrators, and current settings. */
export function System() {
  const { t } = useTranslation()
  return (
    <Page title={t('installation.system')} isWide>
      <Health />
      <Jobs />
      <Administrators />
      <Settings />
    </Page>
  )
}

function Jobs() {
  const { t } = useTranslation()
  const jobs = trpc.admin.jobs.useQuery()
  const run = trpc.admin.runJob.useMutation({ onSuccess: () => toast(t('installation.jobRuns')) })
  const columns = useJobColumns((job) => run.mutate({ jobId: job.id }))
  return (
    <Section title={t('installation.jobs')} isBare>
      <DataTable<JobRow>
        label={t('installation.jobs')}
        columns={columns}
        rows={jobs.data}
        rowId={({ id }) => id}
        error={jobs.error}
        onTryAgain={() => void jobs.refetch()}
        empty={t('installation.noJobs')}
      />
      <ErrorMessage error={run.error} />
    </Section>
  )
}

function useJobColumns(onRun: (job: JobRow) => void): Column<JobRow>[] {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  return [
    {
      id: 'task',
      head: t('installation.job'),
      cell: ({ task, lastError }) => (
        <>
          <code>{task}</code> {lastError !== null && <Text fz="sm">{lastError}</Text>}
        </>
      ),
    },
    {
      id: 'attempts',
      head: t('common.status'),
      cell: ({ attempts, lastError }) => (
        <Tag tone={lastError === null ? 'neutral' : 'bad'}>{t('webhooks.attempts', { count: attempts })}</Tag>
      ),
    },
    { id: 'when', head: t('common.time'), cell: ({ runAt }) => dateFormat.minute(runAt) },
    {
      id: 'actions',
      head: '',
      cell: (job) =>
        job.lastError !== null &&
        !job.isRunning && (
          <Button variant="default" size="sm" onClick={() => onRun(job)}>
            {t('installation.runJob')}
          </Button>
        ),
    },
  ]
}

function Settings() {
  const { t } = useTranslation()
  const settings = trpc.admin.settings.useQuery()
  const columns = useSettingColumns()
  const [typed, setTyped] = useState('')
  const [isChanged, setChanged] = useState(false)
  const words = typed.trim().toLowerCase()
  const rows = settings.data?.filter(({ name, isSet }) => name.toLowerCase().includes(words) && (isSet || !isChanged))
  return (
    <Section title={t('installation.settings')} description={t('installation.settingsDescription')} isBare>
      <DataTable<SettingRow>
        label={t('installation.settings')}
        columns={columns}
        rows={rows}
        rowId={({ name }) => name}
        error={settings.error}
        onTryAgain={() => void settings.refetch()}
        toolbar={
          <>
            <TableFind label={t('installation.findSetting')} value={typed} onFind={setTyped} />
            <TableFilter
              label={t('installation.settings')}
              value={isChanged ? 'changed' : ''}
              choices={[
                { value: '', label: t('installation.allSettings') },
                { value: 'changed', label: t('installation.changedOnly') },
              ]}
              onFilter={(value) => setChanged(value === 'changed')}
            />
          </>
        }
        empty={t('common.nothingFound')}
      />
    </Section>
  )
}

function useSettingColumns(): Column<SettingRow>[] {
  const { t } = useTranslation()
  const valueOf = ({ name, value, isSecret, isSet }: SettingRow) => {
    if (name === 'AUTH_SECRET' && !isSet) return t('installation.generated')
    if (isSecret) return isSet ? t('installation.secretSet') : t('installation.notSet')
    return value === null || value === '' ? t('installation.notSet') : value
  }
  return [
    { id: 'name', head: t('field.name'), cell: ({ name }) => <code>{name}</code> },
    {
      id: 'value',
      head: t('installation.value'),
      cell: (setting) => (
        <>
          {valueOf(setting)} {!setting.isSet && Boolean(setting.value) && <Tag>{t('installation.default')}</Tag>}
        </>
      ),
    },
  ]
}
