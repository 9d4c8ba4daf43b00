import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'
import { Person } from '../ui/Person.tsx'
import { tableState } from '../ui/table-state.ts'
import { EmptyResult, TableFilter, TableFind } from '../ui/TableControls.tsx'
import { Tag } from '../ui/Tag.tsx'
import { type Column } from '../ui/use-table-rows.ts'
import { CreateUser } from './CreateUser.tsx'
import { type UserState, userStates } from './user-states.ts'
import { UserStatus } from './UserTags.tsx'

type UserRow = Outputs['admin']['listUsers']['users'][number]

/** The server's filter for each state. */
const filters: Record<UserState, { filterField: 'role' | 'banned' | 'emailVerified'; filterValue: string }> = {
  administrators: { filterField: 'role', filterValue: 'admin' },
  banned: { filterField: 'banned', filterValue: 'true' },
  unverified: { filterField: 'emailVerified', filterValue: 'false' },
}

/** All users of this installation: searched, filtered, sorted, page by page. */
export function Users() {
  const { t } = useTranslation()
  const search = useSearch({ from: '/shell/administration/admin/users' })
  const { q = '', state } = search
  const navigate = useNavigate({ from: '/admin/users' })
  const [isCreating, setCreating] = useState(false)
  const { queryInput, setFilters, setSearch, sorting, pagingOf } = tableState({
    search,
    sorts: ['createdAt', 'name'],
    descending: search.sort === undefined,
    onChange: (changed, isTyped) => void navigate({ search: (old) => ({ ...old, ...changed }), replace: isTyped }),
  })
  const { sort, descending, limit, offset } = queryInput
  const found = trpc.admin.listUsers.useQuery(
    {
      limit,
      offset,
      sortBy: sort,
      sortDirection: descending ? 'desc' : 'asc',
      ...(q.trim() !== '' && { searchValue: q.trim(), searchField: 'any' }),
      ...(state && filters[state]),
    },
    { placeholderData: keepPreviousData },
  )
  const columns = useColumns()
  return (
    <Page
      title={t('users.title')}
      isWide
      actions={<Button onClick={() => setCreating(true)}>{t('users.create')}</Button>}
    >
      <DataTable<UserRow>
        label={t('users.title')}
        columns={columns}
        rows={found.data?.users}
        rowId={({ id }) => id}
        error={found.error}
        onTryAgain={() => void found.refetch()}
        sorting={sorting}
        toolbar={
          <>
            <TableFind label={t('common.search')} value={q} onFind={setSearch} />
            <TableFilter
              label={t('users.state')}
              value={state ?? ''}
              onFilter={(value) => setFilters({ state: userStates.find((one) => one === value) })}
              choices={[
                { value: '', label: t('users.all') },
                ...userStates.map((one) => ({ value: one, label: t(`users.${one}`) })),
              ]}
            />
          </>
        }
        empty={
          <EmptyResult
            text={t('users.empty')}
            isFiltered={q !== '' || state !== undefined}
            onClear={() => setFilters({ q: undefined, state: undefined })}
          />
        }
        paging={pagingOf(found.data?.total)}
        onOpen={({ id }) => void navigate({ to: '/admin/users/$userId', params: { userId: id } })}
      />
      {isCreating && <CreateUser onClose={() => setCreating(false)} />}
    </Page>
  )
}

function useColumns(): Column<UserRow>[] {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  return [
    {
      id: 'name',
      sorts: 'ascending',
      head: t('field.name'),
      cell: (user) => (
        <AnchorLink to="/admin/users/$userId" params={{ userId: user.id }} underline="never" c="inherit">
          <Person {...user} detail={user.email} />
        </AnchorLink>
      ),
    },
    {
      id: 'role',
      head: t('common.role'),
      cell: ({ role }) => (role === 'admin' ? <Tag tone="accent">{t('role.admin')}</Tag> : '—'),
    },
    {
      id: 'status',
      head: t('users.status'),
      cell: (user) => <UserStatus user={user} />,
    },
    {
      id: 'createdAt',
      sorts: 'descending',
      head: t('users.since'),
      cell: ({ createdAt }) => dateFormat.short(createdAt),
    },
  ]
}
