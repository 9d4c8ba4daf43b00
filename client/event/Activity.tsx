import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOrganization } from '../organization/current-organization.ts'
import { SettingsTitle } from '../account/SettingsTitle.tsx'
import { trpc } from '../app/trpc.ts'
import { Page } from '../ui/Page.tsx'
import { Section } from '../ui/Section.tsx'
import { EventTable, pagesOfEvents } from './EventTable.tsx'

const limit = 50

/** Activity log of the signed-in user's account. */
export function Activity() {
  const { t } = useTranslation()
  const { group } = useSearch({ from: '/shell/settings/activity' })
  const navigate = useNavigate({ from: '/settings/activity' })
  const list = trpc.account.activity.useInfiniteQuery({ group, limit }, pagesOfEvents)
  return (
    <>
      <SettingsTitle section={t('activity.title')} page={t('settings.title')} />
      <Section title={t('activity.title')} why={t('activity.why')} isBare>
        <EventTable
          label={t('activity.title')}
          list={list}
          group={group}
          onGroup={(next) => void navigate({ search: { group: next } })}
        />
      </Section>
    </>
  )
}

const organizationGroups = ['organization', 'member', 'team', 'invitation', 'payment', 'permission'] as const

/** Audit log of an organization, for its owners and administrators. */
export function AuditLog() {
  const { t } = useTranslation()
  const { organization } = useOrganization()
  const { group } = useSearch({ from: '/shell/o/$slug/activity' })
  const navigate = useNavigate({ from: '/o/$slug/activity' })
  const list = trpc.organization.activity.useInfiniteQuery(
    { organizationId: organization.id, group, limit },
    pagesOfEvents,
  )
  return (
    <Page title={t('activity.auditTitle')} lead={t('activity.auditWhy')} isWide>
      <EventTable
        label={t('activity.auditTitle')}
        list={list}
        group={group}
        groups={organizationGroups}
        onGroup={(next) => void navigate({ search: { group: next } })}
      />
    </Page>
  )
}
