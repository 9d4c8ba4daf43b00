import { Button, Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { listedStatuses } from '../../shared/invitation-status.ts'
import { invitationSorts } from '../../shared/invitation.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useOrganization } from '../organization/current-organization.ts'
import { RoleTag } from '../organization/Roles.tsx'
import { ActionsMenu } from '../ui/ActionsMenu.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { Empty } from '../ui/Empty.tsx'
import { useReason } from '../ui/ErrorMessage.tsx'
import { Page } from '../ui/Page.tsx'
import { tableState } from '../ui/table-state.ts'
import { EmptyResult, TableFind } from '../ui/TableControls.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { type Column } from '../ui/use-table-rows.ts'
import { Invite } from './Invite.tsx'
import { type InvitationRow, SelectedInvitations } from './SelectedInvitations.tsx'
import fading from '../ui/Fading.module.css'
import classes from './Invitations.module.css'

/** Invitations of the organization: a tab for each status with its count, searched, sorted, page by page. */
export function Invitations() {
  const { t } = useTranslation()
  const { organization, may } = useOrganization()
  const organizationId = organization.id
  const mayInvite = may('invitation', 'create')
  const search = useSearch({ from: '/shell/o/$slug/invitations' })
  const { q = '', status = 'pending', invite = false } = search
  const [selected, setSelected] = useState<string[]>([])
  const navigate = useNavigate({ from: '/o/$slug/invitations' })
  const { queryInput, setFilters, setSearch, sorting, pagingOf } = tableState({
    search,
    sorts: invitationSorts,
    descending: true,
    onChange: (changed, isTyped) => {
      setSelected([])
      void navigate({ search: (old) => ({ ...old, ...changed }), replace: isTyped || 'invite' in changed })
    },
  })
  const found = trpc.invitation.search.useQuery(
    { organizationId, status, search: q, ...queryInput },
    { placeholderData: keepPreviousData },
  )
  const columns = useColumns()
  const chosen = (found.data?.invitations ?? []).filter(({ id }) => selected.includes(id))
  return (
    <Page
      title={t('invite.title')}
      isWide
      actions={mayInvite && <Button onClick={() => setFilters({ invite: true })}>{t('members.invite')}</Button>}
    >
      <nav className={`${classes.tabs} ${fading.row}`} aria-label={t('invite.list')}>
        {listedStatuses.map((name) => (
          <Link
            key={name}
            to="/o/$slug/invitations"
            params={{ slug: organization.slug }}
            search={{ ...(name !== 'pending' && { status: name }), ...(q !== '' && { q }) }}
            className={classes.tab}
            // Otherwise the first tab, whose search is empty, counts as active on all of them.
            activeOptions={{ exact: true }}
            activeProps={{}}
            aria-current={name === status ? 'page' : undefined}
          >
            {t(`invite.${name}`)}
            {found.data && <span className={classes.count}>{found.data.counts[name]}</span>}
          </Link>
        ))}
      </nav>
      <DataTable<InvitationRow>
        label={t('invite.title')}
        columns={columns}
        rows={found.data?.invitations}
        rowId={({ id }) => id}
        error={found.error}
        onTryAgain={() => void found.refetch()}
        sorting={sorting}
        {...(may('invitation', 'cancel') &&
          (status === 'pending' || status === 'expired') && {
            selection: {
              ids: selected,
              onSelect: setSelected,
              nameOf: ({ email }) => email,
              isSelectable: ({ status: stored }) => stored === 'pending',
            },
          })}
        toolbar={
          <>
            <TableFind label={t('invite.search')} value={q} onFind={setSearch} />
            {chosen.length > 0 && <SelectedInvitations invitations={chosen} onDone={() => setSelected([])} />}
          </>
        }
        empty={
          status === 'pending' && q === '' && mayInvite ? (
            <Empty
              text={t('invite.emptyDescription')}
              action={<Button onClick={() => setFilters({ invite: true })}>{t('members.invite')}</Button>}
            />
          ) : (
            <EmptyResult text={t('invite.none')} isFiltered={q !== ''} onClear={() => setFilters({ q: undefined })} />
          )
        }
        paging={pagingOf(found.data?.total)}
      />
      {invite && mayInvite && <Invite onClose={() => setFilters({ invite: undefined })} />}
    </Page>
  )
}

function useColumns(): Column<InvitationRow>[] {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  return [
    {
      id: 'email',
      head: t('field.email'),
      sorts: 'ascending',
      cell: ({ email }) => <strong className={classes.email}>{email}</strong>,
    },
    { id: 'role', head: t('common.role'), sorts: 'ascending', cell: ({ role }) => <RoleTag role={role} /> },
    { id: 'inviter', head: t('invite.by'), sorts: 'ascending', cell: ({ inviterName }) => inviterName },
    { id: 'sent', head: t('invite.sentOn'), sorts: 'descending', cell: ({ createdAt }) => dateFormat.short(createdAt) },
    {
      id: 'expires',
      head: t('invite.expires'),
      sorts: 'ascending',
      cell: (invitation) => <Expiry invitation={invitation} />,
    },
    { id: 'actions', head: '', cell: (invitation) => <Actions invitation={invitation} /> },
  ]
}

function Expiry({ invitation: { status, expiresAt } }: { invitation: InvitationRow }) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  if (status !== 'pending') return '—'
  if (isPast(expiresAt)) return <Tag tone="attention">{t('invite.expiredShort')}</Tag>
  return (
    <time dateTime={expiresAt} title={dateFormat.time(expiresAt)}>
      {dateFormat.relative(expiresAt)}
    </time>
  )
}

const isPast = (time: string) => new Date(time).getTime() <= Date.now()

function Actions({ invitation }: { invitation: InvitationRow }) {
  const { t } = useTranslation()
  const clipboard = useClipboard()
  const reasonOf = useReason()
  const { may } = useOrganization()
  const { id, email, role, status, organizationId, teamId, expiresAt } = invitation
  const onError = (error: unknown) => toast(reasonOf(error))
  const resend = trpc.invitation.create.useMutation({ onSuccess: () => toast(t('invite.resent', { email })), onError })
  const [isCanceling, setCanceling] = useState(false)
  const cancel = trpc.invitation.cancel.useMutation({
    onSuccess: () => {
      toast(t('invite.canceledFor', { email }))
      setCanceling(false)
    },
  })
  if (status !== 'pending') return null
  const copy = () => {
    clipboard.copy(`${location.origin}/invitation/${id}`)
    toast(t('invite.copied', { email }))
  }
  return (
    <>
      <ActionsMenu name={email} isPending={resend.isPending} returnFocus>
        {!isPast(expiresAt) && <Menu.Item onClick={copy}>{t('invite.copy')}</Menu.Item>}
        {may('invitation', 'create') && (
          <Menu.Item onClick={() => resend.mutate({ email, role, teamId, organizationId, resend: true })}>
            {t('invite.resend')}
          </Menu.Item>
        )}
        {may('invitation', 'cancel') && (
          <Menu.Item color="var(--danger)" onClick={() => setCanceling(true)}>
            {t('invite.cancel')}
          </Menu.Item>
        )}
      </ActionsMenu>
      {isCanceling && (
        <Confirm
          title={t('invite.cancelTitle', { email })}
          description={t('invite.cancelDescription')}
          action={t('invite.cancel')}
          dismiss={t('invite.keep')}
          isPending={cancel.isPending}
          error={cancel.error}
          onConfirm={() => cancel.mutate({ invitationId: id })}
          onClose={() => setCanceling(false)}
        />
      )}
    </>
  )
}
