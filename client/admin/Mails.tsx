import { Anchor, Menu } from '@mantine/core'
import { useState } from 'react'
import { mailStates } from '../../shared/installation.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ActionsMenu } from '../ui/ActionsMenu.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Page } from '../ui/Page.tsx'
import { EmptyResult, TableFilter, TableFind } from '../ui/TableControls.tsx'
import { Tag, type Tone } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { type Column } from '../ui/use-table-rows.ts'
import { mailsPage } from './first-pages.ts'
import classes from './Mails.module.css'

type MailRow = Outputs['admin']['mails']['mails'][number]
type MailState = (typeof mailStates)[number]

/**
 * Emails that are waiting, were rejected by the mail server, or were sent. Links and codes in them are hidden, because
 * they can be used to sign in.
 */
export function Mails() {
  const { t } = useTranslation()
  const [state, setState] = useState<MailState>('queued')
  const [to, setTo] = useState('')
  const [opened, setOpened] = useState<MailRow>()
  const list = trpc.admin.mails.useInfiniteQuery(
    { state, ...(to !== '' && { to }), ...mailsPage },
    { getNextPageParam: ({ next }) => next ?? undefined },
  )
  const again = trpc.admin.sendMailAgain.useMutation({ onSuccess: () => toast(t('installation.sentNow')) })
  const nameOf: Record<MailState, string> = {
    queued: t('installation.mailQueued'),
    rejected: t('installation.mailRejected'),
    sent: t('installation.mailSent'),
    all: t('installation.allMails'),
  }
  const hasMailServer = list.data?.pages[0]?.hasMailServer ?? true
  const columns = useColumns({
    canSend: hasMailServer && state !== 'sent',
    stateOf: (mail) => nameOf[mail.sentAt !== null ? 'sent' : mail.rejectedAt !== null ? 'rejected' : 'queued'],
    hasStates: state === 'all',
    onOpen: setOpened,
    onAgain: (mailId) => again.mutate({ mailId }),
  })
  return (
    <Page
      title={t('installation.mails')}
      isWide
      {...(!hasMailServer && { description: t('installation.noMailServer') })}
    >
      <ErrorMessage error={again.error} />
      <DataTable<MailRow>
        label={t('installation.mails')}
        columns={columns}
        rows={list.data?.pages.flatMap(({ mails }) => mails)}
        rowId={({ id }) => id}
        error={list.error}
        onTryAgain={() => void list.refetch()}
        toolbar={
          <>
            <TableFind
              label={t('installation.findRecipient')}
              value={to}
              onFind={(typed) => {
                setTo(typed)
                // A recipient is sought in all statuses at first.
                if (to === '' && typed !== '') setState('all')
              }}
            />
            <TableFilter
              label={t('common.status')}
              value={state}
              choices={mailStates.map((value) => ({ value, label: nameOf[value] }))}
              onFilter={(value) => setState(mailStates.find((one) => one === value) ?? 'queued')}
            />
          </>
        }
        empty={
          <EmptyResult
            text={t('installation.noMails')}
            isFiltered={to !== ''}
            onClear={() => {
              setTo('')
              setState('queued')
            }}
          />
        }
        onOpen={setOpened}
        {...(list.hasNextPage && {
          more: { isLoading: list.isFetchingNextPage, onMore: () => void list.fetchNextPage() },
        })}
      />
      {opened && (
        <Dialog title={opened.subject} description={t('installation.mailHidden')} onClose={() => setOpened(undefined)}>
          <p className={classes.text}>{opened.text}</p>
        </Dialog>
      )}
    </Page>
  )
}

function toneOf({ sentAt, rejectedAt, failure }: MailRow): Tone {
  if (sentAt !== null) return 'good'
  if (rejectedAt !== null) return 'bad'
  return failure === null ? 'neutral' : 'attention'
}

type ColumnOptions = {
  canSend: boolean
  stateOf: (mail: MailRow) => string
  /** Whether emails of several states are listed. */
  hasStates: boolean
  onOpen: (mail: MailRow) => void
  onAgain: (id: string) => void
}

function useColumns({ canSend, stateOf, hasStates, onOpen, onAgain }: ColumnOptions): Column<MailRow>[] {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const columns: Column<MailRow>[] = [
    { id: 'to', head: t('installation.to'), cell: ({ to }) => to },
    {
      id: 'kind',
      head: t('installation.subject'),
      cell: (mail) => (
        <>
          <Anchor component="button" type="button" ta="start" onClick={() => onOpen(mail)}>
            {mail.subject}
          </Anchor>
          {mail.failure !== null && <p className={classes.failure}>{mail.failure}</p>}
        </>
      ),
    },
    ...(hasStates
      ? [
          {
            id: 'status',
            head: t('common.status'),
            cell: (mail: MailRow) => <Tag tone={toneOf(mail)}>{stateOf(mail)}</Tag>,
          },
        ]
      : []),
    {
      id: 'when',
      head: t('common.time'),
      cell: ({ createdAt, sentAt }) => dateFormat.minute(sentAt ?? createdAt),
    },
  ]
  if (!canSend) return columns
  const actions: Column<MailRow> = {
    id: 'actions',
    head: '',
    cell: ({ id, to, sentAt }) =>
      sentAt === null && (
        <ActionsMenu name={to}>
          <Menu.Item onClick={() => onAgain(id)}>{t('installation.sendNow')}</Menu.Item>
        </ActionsMenu>
      ),
  }
  return [...columns, actions]
}
