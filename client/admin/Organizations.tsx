import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { organizationSorts } from '../../shared/installation.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'
import { Person } from '../ui/Person.tsx'
import { tableState } from '../ui/table-state.ts'
import { EmptyResult, TableFind } from '../ui/TableControls.tsx'
import { type Column } from '../ui/use-table-rows.ts'

type OrganizationRow = Outputs['admin']['organizations']['organizations'][number]

/** All organizations of this installation: searched, sorted, page by page. */
export function Organizations() {
  const { t } = useTranslation()
  const search = useSearch({ from: '/shell/administration/admin/organizations' })
  const { q = '' } = search
  const navigate = useNavigate({ from: '/admin/organizations' })
  const { queryInput, setFilters, setSearch, sorting, pagingOf } = tableState({
    search,
    sorts: organizationSorts,
    descending: search.sort === undefined,
    onChange: (changed, isTyped) => void navigate({ search: (old) => ({ ...old, ...changed }), replace: isTyped }),
  })
  const { sort, descending, limit, offset } = queryInput
  const sent = { limit, offset, sortBy: sort, sortDirection: descending ? ('desc' as const) : ('asc' as const) }
  const found = trpc.admin.organizations.useQuery(
    { ...sent, ...(q.trim() !== '' && { q: q.trim() }) },
    { placeholderData: keepPreviousData },
  )
  const columns = useColumns()
  return (
    <Page title={t('installation.organizations')} isWide>
      <DataTable<OrganizationRow>
        label={t('installation.organizations')}
        columns={columns}
        rows={found.data?.organizations}
        rowId={({ id }) => id}
        error={found.error}
        onTryAgain={() => void found.refetch()}
        sorting={sorting}
        toolbar={<TableFind label={t('installation.searchOrganizations')} value={q} onFind={setSearch} />}
        empty={
          <EmptyResult
            text={t(q === '' ? 'installation.noOrganizations' : 'common.nothingFound')}
            isFiltered={q !== ''}
            onClear={() => setFilters({ q: undefined })}
          />
        }
        paging={pagingOf(found.data?.total)}
        onOpen={({ id }) =>
          void navigate({ to: '/admin/organizations/$organizationId', params: { organizationId: id } })
        }
      />
    </Page>
  )
}

function useColumns(): Column<OrganizationRow>[] {
  const { t, language } = useTranslation()
  const dateFormat = useDateFormat()
  const number = new Intl.NumberFormat(language)
  return [
    {
      id: 'name',
      sorts: 'ascending',
      head: t('field.title'),
      cell: ({ id, name, slug, logo }) => (
        <AnchorLink
          to="/admin/organizations/$organizationId"
          params={{ organizationId: id }}
          underline="never"
          c="inherit"
        >
          <Person id={id} name={name} image={logo} detail={slug} isSquare />
        </AnchorLink>
      ),
    },
    { id: 'members', head: t('installation.members'), cell: ({ members }) => number.format(members) },
    {
      id: 'createdAt',
      sorts: 'descending',
      head: t('installation.created'),
      cell: ({ createdAt }) => dateFormat.short(createdAt),
    },
  ]
}
