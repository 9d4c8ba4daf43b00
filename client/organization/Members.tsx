import { ActionIcon, Avatar, Badge, Group, Menu, NativeSelect, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isOwner, isRole, roles, rolesOf } from '../../shared/permissions.ts'
import { trpc } from '../app/trpc.ts'
import { Page } from '../ui/Page.tsx'
import { PagedList } from '../ui/PagedList.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { MoreIcon } from '../ui/icons.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { useDateFormat } from '../ui/moment.ts'
import { MemberRole } from './MemberRole.tsx'
import { RemoveMember } from './RemoveMember.tsx'
import { useRoleName } from './Roles.tsx'
import { useOrganization } from './current-organization.ts'
import type { MemberRow } from './member-row.ts'

const pageSize = 25

/** The members of the organization, searchable by name or email address, filtered by role, paginated. */
export function Members() {
  const { t } = useTranslation()
  const { organization, may, isOwnedByUser } = useOrganization()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 200)
  const [role, setRole] = useState('')
  const [open, setOpen] = useState<{ member: MemberRow; what: 'role' | 'remove' }>()
  const [done, setDone] = useState('')
  const roleName = useRoleName()
  const teams = trpc.team.list.useQuery({ organizationId: organization.id })
  const found = trpc.organization.members.useInfiniteQuery(
    { organizationId: organization.id, search, limit: pageSize, ...(isRole(role) && { role }) },
    { getNextPageParam: ({ next }) => next ?? undefined, placeholderData: keepPreviousData },
  )
  const members = found.data?.pages.flatMap((page) => page.members) ?? []
  const { counts, membershipLimit } = organization
  const close = (message?: string) => {
    setOpen(undefined)
    if (message !== undefined) setDone(message)
  }
  return (
    <Page title={t('menu.members')}>
      <Group justify="space-between" align="center" mb="lg" gap="sm">
        <Text c="dimmed">{t('members.count', { taken: counts.members, max: membershipLimit })}</Text>
        {may('invitation', 'create') && (
          <ButtonLink to="/o/$slug/invitations" params={{ slug: organization.slug }}>
            {t('members.invite')}
          </ButtonLink>
        )}
      </Group>
      <Section title={organization.name}>
        <Group gap="sm" mb="md" align="flex-end">
          <TextInput
            style={{ flex: '1 1 220px' }}
            label={t('members.search')}
            type="search"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('members.role')}
            value={role}
            onChange={(event) => setRole(event.currentTarget.value)}
            data={[
              { value: '', label: t('members.anyRole') },
              ...roles.map((name) => ({ value: name, label: roleName(name) })),
            ]}
          />
        </Group>
        <PagedList list={found} isEmpty={members.length === 0} empty={t('members.empty')}>
          <Rows>
            {members.map((member) => (
              <MemberLine
                key={member.id}
                member={member}
                team={teams.data?.find(({ id }) => id === member.teamId)?.name}
                isMe={member.id === organization.me.id}
                mayChange={may('member', 'update') && (isOwnedByUser || !isOwner(member.role))}
                onChoose={(what) => setOpen({ member, what })}
              />
            ))}
          </Rows>
        </PagedList>
        <Text component="output" c="var(--good)">
          {done}
        </Text>
      </Section>
      {open?.what === 'role' && <MemberRole member={open.member} teams={teams.data ?? []} onClose={close} />}
      {open?.what === 'remove' && <RemoveMember member={open.member} onClose={close} />}
    </Page>
  )
}

type LineProps = {
  member: MemberRow
  team: string | undefined
  isMe: boolean
  mayChange: boolean
  onChoose: (what: 'role' | 'remove') => void
}

function MemberLine({ member, team, isMe, mayChange, onChoose }: LineProps) {
  const { t } = useTranslation()
  const moment = useDateFormat()
  const roleName = useRoleName()
  const { user, role, createdAt } = member
  return (
    <Row
      picture={<Avatar src={user.image} name={user.name} alt="" size={36} className="person-avatar" />}
      name={
        <Group gap={8}>
          {user.name}
          {isMe && (
            <Badge variant="outline" color="var(--warn)">
              {t('members.you')}
            </Badge>
          )}
          {user.emailVerified === false && (
            <Badge variant="outline" color="var(--warn)">
              {t('members.unverified')}
            </Badge>
          )}
          {!(rolesOf(role).length === 1 && role === 'member') && (
            <Badge variant="outline" color="var(--quiet)">
              {roleName(role)}
            </Badge>
          )}
        </Group>
      }
      note={[user.email, team, t('members.joined', { day: moment.day(createdAt) })].filter(Boolean).join(' · ')}
      action={
        mayChange && (
          <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                size={40}
                aria-label={t('members.actions', { name: user.name })}
                className="quiet-button"
              >
                <MoreIcon />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => onChoose('role')}>{t('members.change')}</Menu.Item>
              {!isMe && (
                <Menu.Item color="var(--danger)" onClick={() => onChoose('remove')}>
                  {t('members.remove')}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        )
      }
    />
  )
}
