import { Menu } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { memberSorts } from '../../shared/organization.ts'
import { isRole, mayManageMember } from '../../shared/permissions.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ActionsMenu } from '../ui/ActionsMenu.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { ButtonLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'
import { Person } from '../ui/Person.tsx'
import { tableState } from '../ui/table-state.ts'
import { EmptyResult, TableFilter, TableFind } from '../ui/TableControls.tsx'
import { Tag } from '../ui/Tag.tsx'
import { type Column } from '../ui/use-table-rows.ts'
import { useOrganization } from './current-organization.ts'
import type { MemberRow } from './member-row.ts'
import { MemberRole } from './MemberRole.tsx'
import { RemoveMember } from './RemoveMember.tsx'
import { RoleFilter } from './RoleFilter.tsx'
import { RoleTag } from './Roles.tsx'
import { SelectedMembers } from './SelectedMembers.tsx'

/** The members of the organization: searched by name or email, filtered by role and team, sorted, page by page. */
export function Members() {
  const { t } = useTranslation()
  const { organization, may } = useOrganization()
  const organizationId = organization.id
  const search = useSearch({ from: '/shell/o/$slug/' })
  const { q = '', role = '', team = '' } = search
  const navigate = useNavigate({ from: '/o/$slug/' })
  const [open, setOpen] = useState<{ member: MemberRow; what: 'role' | 'remove' }>()
  const [selected, setSelected] = useState<string[]>([])
  const teams = trpc.team.list.useQuery({ organizationId })
  const { queryInput, setFilters, setSearch, sorting, pagingOf } = tableState({
    search,
    sorts: memberSorts,
    onChange: (changed, isTyped) => {
      setSelected([])
      void navigate({ search: (old) => ({ ...old, ...changed }), replace: isTyped })
    },
  })
  const found = trpc.organization.members.useQuery(
    {
      organizationId,
      search: q,
      ...queryInput,
      ...(isRole(role) && { role }),
      ...(team !== '' && { teamId: team }),
    },
    { placeholderData: keepPreviousData },
  )
  const isMine = (member: MemberRow) => member.id === organization.me.id
  const mayChange = (member: MemberRow) =>
    may('member', 'update') && mayManageMember({ actor: organization.me.role, target: member.role })
  const columns = useColumns({
    teamName: (id) => teams.data?.find((one) => one.id === id)?.name,
    isMine,
    mayChange,
    onChoose: (member, what) => setOpen({ member, what }),
  })
  const members = found.data?.members
  const chosen = (members ?? []).filter(({ id }) => selected.includes(id))
  const { counts, membershipLimit } = organization
  return (
    <Page
      title={t('members.title')}
      description={t('members.count', { taken: counts.members, max: membershipLimit })}
      isWide
      actions={
        may('invitation', 'create') && (
          <ButtonLink to="/o/$slug/invitations" params={{ slug: organization.slug }} search={{ invite: true }}>
            {t('members.invite')}
          </ButtonLink>
        )
      }
    >
      <DataTable<MemberRow>
        label={t('members.title')}
        columns={columns}
        rows={members}
        rowId={({ id }) => id}
        error={found.error}
        onTryAgain={() => void found.refetch()}
        sorting={sorting}
        {...(may('member', 'update') && {
          selection: {
            ids: selected,
            onSelect: setSelected,
            nameOf: ({ user }) => user.name,
            isSelectable: (member) => mayChange(member) && !isMine(member),
          },
        })}
        toolbar={
          <>
            <TableFind label={t('common.search')} value={q} onFind={setSearch} />
            <RoleFilter value={role} onFilter={(value) => setFilters({ role: value || undefined })} />
            <TableFilter
              label={t('common.team')}
              value={team}
              onFilter={(value) => setFilters({ team: value || undefined })}
              choices={[
                { value: '', label: t('members.anyTeam') },
                ...(teams.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
            {chosen.length > 0 && <SelectedMembers members={chosen} onDone={() => setSelected([])} />}
          </>
        }
        empty={
          <EmptyResult
            text={t('members.empty')}
            isFiltered={q !== '' || role !== '' || team !== ''}
            onClear={() => setFilters({ q: undefined, role: undefined, team: undefined })}
          />
        }
        paging={pagingOf(found.data?.total)}
        onOpen={
          may('member', 'update') ? (member) => mayChange(member) && setOpen({ member, what: 'role' }) : undefined
        }
      />
      {open?.what === 'role' && (
        <MemberRole member={open.member} teams={teams.data ?? []} onClose={() => setOpen(undefined)} />
      )}
      {open?.what === 'remove' && <RemoveMember member={open.member} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

type ColumnOptions = {
  teamName: (id: string | null) => string | undefined
  isMine: (member: MemberRow) => boolean
  mayChange: (member: MemberRow) => boolean
  onChoose: (member: MemberRow, what: 'role' | 'remove') => void
}

function useColumns({ teamName, isMine, mayChange, onChoose }: ColumnOptions): Column<MemberRow>[] {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  return [
    {
      id: 'name',
      sorts: 'ascending',
      head: t('field.name'),
      cell: (member) => (
        <Person
          {...member.user}
          detail={member.user.email}
          tags={
            <>
              {isMine(member) && <Tag>{t('members.you')}</Tag>}
              {member.user.emailVerified === false && <Tag tone="attention">{t('common.unverified')}</Tag>}
            </>
          }
        />
      ),
    },
    {
      id: 'role',
      sorts: 'ascending',
      head: t('common.role'),
      cell: ({ role }) => <RoleTag role={role} />,
    },
    {
      id: 'team',
      head: t('common.team'),
      cell: (member) => teamName(member.teamId) ?? '—',
    },
    {
      id: 'joined',
      sorts: 'descending',
      head: t('common.joinedOn'),
      cell: (member) => dateFormat.short(member.createdAt),
    },
    {
      id: 'actions',
      head: '',
      cell: (member) =>
        mayChange(member) && (
          <ActionsMenu name={member.user.name}>
            <Menu.Item onClick={() => onChoose(member, 'role')}>{t('members.change')}</Menu.Item>
            {!isMine(member) && (
              <Menu.Item color="var(--danger)" onClick={() => onChoose(member, 'remove')}>
                {t('common.remove')}
              </Menu.Item>
            )}
          </ActionsMenu>
        ),
    },
  ]
}
