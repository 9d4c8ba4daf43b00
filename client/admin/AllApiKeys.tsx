import { Menu } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ActionsMenu } from '../ui/ActionsMenu.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'
import { tableState } from '../ui/table-state.ts'
import { EmptyResult, TableFind } from '../ui/TableControls.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { type Column } from '../ui/use-table-rows.ts'

type KeyRow = Outputs['admin']['apiKeys']['apiKeys'][number]

const nameOf = ({ name, start }: KeyRow) => name ?? `${start}…`

/** The API keys of all users and organizations, newest first, and their deletion. */
export function AllApiKeys() {
  const { t } = useTranslation()
  const [deleting, setDeleting] = useState<KeyRow>()
  const search = useSearch({ from: '/shell/administration/admin/api-keys' })
  const { q = '' } = search
  const navigate = useNavigate({ from: '/admin/api-keys' })
  const { queryInput, setFilters, setSearch, pagingOf } = tableState({
    search,
    sorts: ['createdAt'],
    onChange: (changed, isTyped) => void navigate({ search: (old) => ({ ...old, ...changed }), replace: isTyped }),
  })
  const { limit, offset } = queryInput
  const found = trpc.admin.apiKeys.useQuery(
    { limit, offset, ...(q.trim() !== '' && { q: q.trim() }) },
    { placeholderData: keepPreviousData },
  )
  const remove = trpc.admin.deleteApiKey.useMutation({
    onSuccess: () => {
      toast(t('apiKeys.deleted'))
      setDeleting(undefined)
    },
  })
  const columns = useColumns(setDeleting)
  return (
    <Page title={t('common.apiKeys')} isWide>
      <DataTable<KeyRow>
        label={t('common.apiKeys')}
        columns={columns}
        rows={found.data?.apiKeys}
        rowId={({ id }) => id}
        error={found.error}
        onTryAgain={() => void found.refetch()}
        toolbar={<TableFind label={t('apiKeys.search')} value={q} onFind={setSearch} />}
        empty={
          <EmptyResult text={t('apiKeys.empty')} isFiltered={q !== ''} onClear={() => setFilters({ q: undefined })} />
        }
        paging={pagingOf(found.data?.total)}
      />
      {deleting && (
        <Confirm
          title={t('apiKeys.deleteTitle', { name: nameOf(deleting) })}
          description={t('apiKeys.deleteDescription')}
          action={t('apiKeys.delete')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ keyId: deleting.id })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Page>
  )
}

function useColumns(onDelete: (key: KeyRow) => void): Column<KeyRow>[] {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const [now] = useState(() => new Date())
  return [
    {
      id: 'name',
      head: t('apiKeys.name'),
      cell: (key) => (
        <>
          {nameOf(key)} {!key.enabled && <Tag>{t('apiKeys.disabled')}</Tag>}
          {key.expiresAt !== null && new Date(key.expiresAt) <= now && <Tag tone="bad">{t('common.expired')}</Tag>}
        </>
      ),
    },
    { id: 'start', head: t('apiKeys.key'), cell: ({ start }) => <code>{start}…</code> },
    {
      id: 'user',
      head: t('common.user'),
      cell: ({ user }) => (
        <AnchorLink to="/admin/users/$userId" params={{ userId: user.id }}>
          {user.email}
        </AnchorLink>
      ),
    },
    {
      id: 'organization',
      head: t('common.organization'),
      cell: ({ organization }) =>
        organization === null ? (
          '—'
        ) : (
          <AnchorLink to="/admin/organizations/$organizationId" params={{ organizationId: organization.id }}>
            {organization.name}
          </AnchorLink>
        ),
    },
    {
      id: 'lastRequest',
      head: t('apiKeys.lastUse'),
      cell: ({ lastRequest }) => (lastRequest === null ? t('apiKeys.never') : dateFormat.relative(lastRequest)),
    },
    {
      id: 'expiresAt',
      head: t('apiKeys.expiry'),
      cell: ({ expiresAt }) => (expiresAt === null ? t('apiKeys.noExpiry') : dateFormat.day(expiresAt)),
    },
    {
      id: 'actions',
      head: '',
      cell: (key) => (
        <ActionsMenu name={nameOf(key)}>
          <Menu.Item color="var(--danger)" onClick={() => onDelete(key)}>
            {t('apiKeys.delete')}
          </Menu.Item>
        </ActionsMenu>
      ),
    },
  ]
}
