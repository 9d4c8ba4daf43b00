import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { memberSorts } from '../../shared/organization.ts'
import { isRole } from '../../shared/permissions.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { RoleFilter } from '../organization/RoleFilter.tsx'
import { RoleTag } from '../organization/Roles.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { Person } from '../ui/Person.tsx'
import { tableState } from '../ui/table-state.ts'
import { EmptyResult, TableFind } from '../ui/TableControls.tsx'
import { type Column } from '../ui/use-table-rows.ts'

type Row = Outputs['admin']['organizationMembers']['members'][number]

/** The members of one organization, as administrators see them: searched, filtered by role, sorted, page by page. */
export function OrganizationMembers({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation()
  const search = useSearch({ from: '/shell/administration/admin/organizations/$organizationId' })
  const { q = '', role = '' } = search
  const navigate = useNavigate({ from: '/admin/organizations/$organizationId' })
  const { queryInput, setFilters, setSearch, sorting, pagingOf } = tableState({
    search,
    sorts: memberSorts,
    onChange: (changed, isTyped) =>
      void navigate({ search: (old) => ({ ...old, ...changed }), replace: isTyped, resetScroll: false }),
  })
  const { sort, descending, limit, offset } = queryInput
  const found = trpc.admin.organizationMembers.useQuery(
    {
      organizationId,
      limit,
      offset,
      sortBy: sort,
      sortDirection: descending ? 'desc' : 'asc',
      ...(q.trim() !== '' && { q: q.trim() }),
      ...(isRole(role) && { role }),
    },
    { placeholderData: keepPreviousData },
  )
  return (
    <DataTable<Row>
      label={t('installation.members')}
      columns={useColumns()}
      rows={found.data?.members}
      rowId={({ id }) => id}
      error={found.error}
      onTryAgain={() => void found.refetch()}
      sorting={sorting}
      toolbar={
        <>
          <TableFind label={t('common.search')} value={q} onFind={setSearch} />
          <RoleFilter value={role} onFilter={(value) => setFilters({ role: value || undefined })} />
        </>
      }
      empty={
        <EmptyResult
          text={t('members.empty')}
          isFiltered={q !== '' || role !== ''}
          onClear={() => setFilters({ q: undefined, role: undefined })}
        />
      }
      paging={pagingOf(found.data?.total)}
      onOpen={({ userId }) => void navigate({ to: '/admin/users/$userId', params: { userId }, search: {} })}
    />
  )
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  return [
    {
      id: 'name',
      sorts: 'ascending',
      head: t('field.name'),
      cell: ({ user }) => (
        <AnchorLink to="/admin/users/$userId" params={{ userId: user.id }} underline="never" c="inherit">
          <Person {...user} detail={user.email} />
        </AnchorLink>
      ),
    },
    {
      id: 'role',
      sorts: 'ascending',
      head: t('common.role'),
      cell: ({ role }) => <RoleTag role={role} />,
    },
    {
      id: 'joined',
      sorts: 'descending',
      head: t('common.joinedOn'),
      cell: ({ createdAt }) => dateFormat.short(createdAt),
    },
  ]
}
