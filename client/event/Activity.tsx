import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useOrganization } from '../organization/current-organization.ts'
import { NoPermission } from '../organization/NoPermission.tsx'
import { Page } from '../ui/Page.tsx'
import { Section } from '../ui/Section.tsx'
import { SettingsTitle } from '../ui/SettingsTitle.tsx'
import { eventQueryOf } from './event-filter.ts'
import { EventTable, pagesOfEvents } from './EventTable.tsx'
import { ExportEvents } from './ExportEvents.tsx'

const limit = 50
/** Number of members offered as actors. */
const maxOffered = 20

/** Activity log of the signed-in user's account. */
export function Activity() {
  const { t } = useTranslation()
  const filter = useSearch({ from: '/shell/settings/activity' })
  const navigate = useNavigate({ from: '/settings/activity' })
  const list = trpc.account.activity.useInfiniteQuery({ ...eventQueryOf(filter), limit }, pagesOfEvents)
  return (
    <>
      <SettingsTitle section={t('common.activity')} page={t('common.mySettings')} />
      <Section title={t('common.activity')} description={t('activity.description')} isBare>
        <EventTable
          label={t('common.activity')}
          list={list}
          filter={filter}
          onFilter={(changed) => void navigate({ search: (old) => ({ ...old, ...changed }) })}
        />
      </Section>
    </>
  )
}

const organizationGroups = ['organization', 'member', 'team', 'invitation', 'payment', 'permission'] as const

/** Audit log of an organization, for its owners and administrators. */
export function AuditLog() {
  const { t } = useTranslation()
  const { may } = useOrganization()
  if (may('organization', 'update')) return <OrganizationEvents />
  return (
    <Page title={t('activity.auditTitle')}>
      <NoPermission />
    </Page>
  )
}

function OrganizationEvents() {
  const { t } = useTranslation()
  const { client } = trpc.useUtils()
  const { organization } = useOrganization()
  const organizationId = organization.id
  const filter = useSearch({ from: '/shell/o/$slug/activity' })
  const navigate = useNavigate({ from: '/o/$slug/activity' })
  const wanted = { organizationId, ...eventQueryOf(filter) }
  const list = trpc.organization.activity.useInfiniteQuery({ ...wanted, limit }, pagesOfEvents)
  const [search, setSearch] = useState('')
  const [debounced] = useDebouncedValue(search.trim(), 200)
  const found = trpc.organization.members.useQuery(
    { organizationId, search: debounced, limit: maxOffered, sort: 'name' },
    { placeholderData: keepPreviousData },
  )
  return (
    <Page
      title={t('activity.auditTitle')}
      description={t('activity.auditDescription')}
      isWide
      actions={<ExportEvents read={(page) => client.organization.activity.query({ ...wanted, ...page })} />}
    >
      <EventTable
        label={t('activity.auditTitle')}
        list={list}
        filter={filter}
        groups={organizationGroups}
        onFilter={(changed) => void navigate({ search: (old) => ({ ...old, ...changed }) })}
        actors={{ found: (found.data?.members ?? []).map(({ user }) => user), onSearch: setSearch }}
      />
    </Page>
  )
}
