import { type EventGroup, eventGroups, userGroups } from '../../shared/event-group.ts'
import { isProvider, providerNames } from '../../shared/provider.ts'
import { trpc, type Outputs } from '../api/trpc.ts'
import { hasText, useTranslation } from '../language/translation.ts'
import { useRoleName } from '../organization/Roles.tsx'
import { useDeviceName } from '../session/device-name.ts'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { EmptyResult } from '../ui/TableControls.tsx'
import { type Column } from '../ui/use-table-rows.ts'
import type { EventFilter } from './event-filter.ts'
import { useEventName } from './event-name.ts'
import { type ActorChoice, EventFilters } from './EventFilters.tsx'
import classes from './EventTable.module.css'

type EventRow = Outputs['account']['activity']['events'][number]

type Page = Outputs['account']['activity']

type Props = {
  label: string
  /** The pages fetched so far, from an infinite query. */
  list: {
    data: { pages: Page[] } | undefined
    error: unknown
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
    refetch: () => unknown
  }
  filter: EventFilter
  /** Receives the filters that change. */
  onFilter: (changed: EventFilter) => void
  /** Groups offered by the filter. */
  groups?: readonly EventGroup[]
  /** Users that the events can be filtered by. */
  actors?: ActorChoice
  /** Shows the affected user and organization in columns of their own, with links. For administrators. */
  showsSubjects?: boolean
}

/** The cursor of the next page of an event list. */
export const pagesOfEvents = { getNextPageParam: ({ next }: Page) => next ?? undefined }

/** Events, newest first, as a table; as cards on small screens. */
export function EventTable({ label, list, filter, onFilter, groups, actors, showsSubjects = false }: Props) {
  const { t } = useTranslation()
  const columns = useColumns(showsSubjects)
  const events = list.data?.pages.flatMap((page) => page.events)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <DataTable<EventRow>
      label={label}
      columns={columns}
      rows={events}
      rowId={({ id }) => id}
      error={list.error}
      onTryAgain={() => void list.refetch()}
      toolbar={
        <EventFilters
          filter={filter}
          onFilter={onFilter}
          groups={groups ?? (showsSubjects ? eventGroups : userGroups)}
          actors={actors}
          actorName={events?.find(({ actorId }) => actorId === filter.actor)?.actorName ?? undefined}
        />
      }
      empty={
        <EmptyResult
          text={isFiltered ? t('common.nothingFound') : t('activity.empty')}
          isFiltered={isFiltered}
          onClear={() =>
            onFilter({ group: undefined, type: undefined, actor: undefined, from: undefined, to: undefined })
          }
        />
      }
      {...(list.hasNextPage && {
        more: { isLoading: list.isFetchingNextPage, onMore: () => void list.fetchNextPage() },
      })}
    />
  )
}

function useColumns(showsSubjects: boolean): Column<EventRow>[] {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const nameOf = useActorName()
  const deviceName = useDeviceName()
  const details = useDetails({ showsSubjects })
  const eventName = useEventName()
  const affected: Column<EventRow>[] = [
    {
      id: 'user',
      head: t('common.user'),
      cell: ({ subjectId, subjectName }) =>
        subjectId !== null && subjectName !== null ? (
          <AnchorLink to="/admin/users/$userId" params={{ userId: subjectId }}>
            {subjectName}
          </AnchorLink>
        ) : (
          '—'
        ),
    },
    {
      id: 'organization',
      head: t('common.organization'),
      cell: ({ organizationId, organizationName }) =>
        organizationId !== null && organizationName !== null ? (
          <AnchorLink to="/admin/organizations/$organizationId" params={{ organizationId }}>
            {organizationName}
          </AnchorLink>
        ) : (
          '—'
        ),
    },
  ]
  return [
    {
      id: 'what',
      head: t('activity.what'),
      cell: (event) => (
        <>
          <span className={classes.what}>{eventName(event.type)}</span>
          <span className={classes.about}>{details(event)}</span>
        </>
      ),
    },
    { id: 'who', head: t('activity.who'), cell: nameOf },
    ...(showsSubjects ? affected : []),
    {
      id: 'where',
      head: t('activity.where'),
      cell: ({ browser, system, ipAddress }) => {
        const device = deviceName({ browser, system })
        if (device === null && ipAddress === '') return '—'
        return (
          <>
            {device ?? t('common.unknownDevice')}{' '}
            <span className={`${classes.about} ${classes.where}`}>{ipAddress}</span>
          </>
        )
      },
    },
    {
      id: 'when',
      head: t('common.time'),
      cell: ({ at }) => (
        <time dateTime={at} title={dateFormat.time(at)}>
          {dateFormat.minute(at)}
        </time>
      ),
    },
  ]
}

/** Display name of the actor; "You" for the signed-in user. */
function useActorName(): (event: EventRow) => string {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  return ({ actorId, actorName, ipAddress, impersonatorName }) => {
    if (impersonatorName !== null)
      return t('activity.actingAs', { administrator: impersonatorName, user: actorName ?? t('activity.deletedUser') })
    // An event without an actor: with an IP address, the caller is unknown; otherwise Foyer itself acted.
    if (actorId === null) return ipAddress === '' ? t('activity.system') : '—'
    if (actorId === current?.user.id) return t('activity.you')
    return actorName ?? t('activity.deletedUser')
  }
}

/**
 * Formats the fields of an event: old and new value, provider, host, names of changed fields. Where the subject has no
 * column of its own, its name too.
 */
function useDetails({ showsSubjects }: { showsSubjects: boolean }): (event: EventRow) => string {
  const { t } = useTranslation()
  const roleName = useRoleName()
  const fieldName = useFieldName()
  const [current] = trpc.session.get.useSuspenseQuery()
  return ({ type, data, actorId, subjectId, subjectName }) => {
    const text = (name: string) => {
      const value = data[name]
      return typeof value === 'string' ? value : undefined
    }
    const provider = text('provider')
    const failure = `activity.${text('reason')}`
    const refusal = `refusal.${text('reason')}`
    // `from` and `to` are shown for these types only; elsewhere they are ids or internal states.
    const isPlain =
      type === 'user.email_changed' || type === 'user.username_changed' || type === 'user.email_change_requested'
    const isRole = type === 'member.role_changed'
    const shown = (name: string) => (isRole ? roleName(text(name) ?? '') : isPlain ? text(name) : undefined)
    const role = text('role')
    const fields = Array.isArray(data['fields']) ? data['fields'] : []
    const [from, to] = [shown('from'), shown('to')]
    return [
      !showsSubjects && subjectId !== actorId && subjectId !== current?.user.id && subjectName,
      text('name'),
      text('email'),
      provider !== undefined && (isProvider(provider) ? providerNames[provider] : provider),
      from !== undefined && to !== undefined ? `${from} → ${to}` : to,
      role !== undefined && `${t('common.role')}: ${roleName(role)}`,
      type === 'permission.refused' && hasText(refusal) ? t(refusal) : undefined,
      type === 'user.banned' && text('reason'),
      type === 'user.sign_in_failed' && hasText(failure) ? t(failure) : undefined,
      text('host'),
      text('task'),
      text('kind'),
      text('subscriptionId'),
      text('paymentId'),
      fields.map(fieldName).join(', '),
    ]
      .filter(Boolean)
      .join(' · ')
  }
}

/** Names the changed fields of a profile or an organization; others are shown as the API names them. */
function useFieldName(): (field: unknown) => string {
  const { t } = useTranslation()
  const names: Record<string, string> = {
    name: t('field.name'),
    username: t('common.username'),
    language: t('common.language'),
    image: t('settings.picture'),
    slug: t('create.slug'),
    logo: t('create.logo'),
    metadata: t('metadata.title'),
    privateMetadata: `${t('metadata.title')} (${t('metadata.privateMetadata')})`,
    membershipLimit: t('organization.limit'),
  }
  return (field) => names[String(field)] ?? String(field)
}
