import { Button, Group, NativeSelect, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { eventGroups, type EventGroup, type EventType } from '../../shared/event.ts'
import { isProvider, providerNames } from '../../shared/account.ts'
import { useRoleName } from '../organization/Roles.tsx'
import { trpc, type Outputs } from '../app/trpc.ts'
import { Refused } from '../ui/Form.tsx'
import { useDateFormat } from '../ui/moment.ts'
import classes from './EventTable.module.css'

type EventRow = Outputs['account']['activity']['events'][number]

type Props = {
  /** Events of the pages fetched so far; undefined while the first page loads. */
  events: readonly EventRow[] | undefined
  error: unknown
  group: EventGroup | undefined
  /** Groups offered by the filter. */
  groups?: readonly EventGroup[]
  hasMore: boolean
  isFetchingMore: boolean
  onGroup: (group: EventGroup | undefined) => void
  onMore: () => void
}

/** Events, newest first, as a table; as cards on small screens. */
export function EventTable(props: Props) {
  const { events, error, group, groups = eventGroups, hasMore, isFetchingMore, onGroup, onMore } = props
  const { t } = useTranslation()
  return (
    <>
      <NativeSelect
        label={t('activity.filter')}
        value={group ?? ''}
        maw={280}
        mb="md"
        data={[
          { value: '', label: t('activity.all') },
          ...groups.map((name) => ({ value: name, label: t(`activity.${name}`) })),
        ]}
        onChange={(event) => {
          const { value } = event.currentTarget
          onGroup(eventGroups.find((name) => name === value))
        }}
      />
      {events?.length === 0 && <Text c="dimmed">{t('activity.empty')}</Text>}
      {events !== undefined && events.length > 0 && (
        <Table className={classes.table} verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('activity.what')}</Table.Th>
              <Table.Th>{t('activity.who')}</Table.Th>
              <Table.Th>{t('activity.where')}</Table.Th>
              <Table.Th>{t('activity.when')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {events.map((event) => (
              <EventTableRow key={event.id} event={event} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Refused error={error} />
      {hasMore && (
        <Group mt="md">
          <Button variant="default" loading={isFetchingMore} onClick={onMore}>
            {t('common.more')}
          </Button>
        </Group>
      )}
    </>
  )
}

function EventTableRow({ event }: { event: EventRow }) {
  const { t } = useTranslation()
  const moment = useDateFormat()
  const nameOf = useActorName()
  const details = useDetails()
  const { type, at, browser, system, ipAddress } = event
  const device = browser && system ? t('home.on', { browser, system }) : (browser ?? system)
  const about = details(event)
  return (
    <Table.Tr>
      <Table.Td data-label={t('activity.what')}>
        <span className={classes.what}>{t(`event.${keyOf(type)}`)}</span>
        {about !== '' && <span className={classes.about}>{about}</span>}
      </Table.Td>
      <Table.Td data-label={t('activity.who')}>{nameOf(event)}</Table.Td>
      <Table.Td data-label={t('activity.where')}>{[device, ipAddress].filter(Boolean).join(' · ')}</Table.Td>
      <Table.Td data-label={t('activity.when')} className={classes.when}>
        <time dateTime={at}>{moment.time(at)}</time>
      </Table.Td>
    </Table.Tr>
  )
}

/** Display name of the actor; "You" for the signed-in user. */
function useActorName(): (event: EventRow) => string {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  return ({ actorId, actorName, ipAddress }) => {
    // Without an actor: a request has an IP address and an unknown sender; otherwise Foyer itself acted.
    if (actorId === null) return ipAddress === '' ? t('activity.system') : '–'
    if (actorId === current?.user.id) return t('activity.you')
    return actorName ?? t('activity.deletedUser')
  }
}

/** Formats the human-readable fields of an event: subject, old and new value, provider. */
function useDetails(): (event: EventRow) => string {
  const roleName = useRoleName()
  const [current] = trpc.session.get.useSuspenseQuery()
  return ({ type, data, actorId, subjectId, subjectName }) => {
    const text = (name: string) => {
      const value = data[name]
      return typeof value === 'string' ? value : undefined
    }
    const provider = text('provider')
    // `from` and `to` are shown for these types only; elsewhere they are ids or internal states.
    const isPlain =
      type === 'user.email_changed' || type === 'user.username_changed' || type === 'user.email_change_requested'
    const isRole = type === 'member.role_changed'
    const shown = (name: string) => (isRole ? roleName(text(name) ?? '') : isPlain ? text(name) : undefined)
    const [from, to] = [shown('from'), shown('to')]
    return [
      subjectId !== actorId && subjectId !== current?.user.id && subjectName,
      text('name'),
      text('email'),
      provider !== undefined && (isProvider(provider) ? providerNames[provider] : provider),
      from !== undefined && to !== undefined ? `${from} → ${to}` : to,
      text('role') !== undefined && roleName(text('role') ?? ''),
      text('path'),
    ]
      .filter(Boolean)
      .join(' · ')
  }
}

/** Converts an event type to a catalogue key: i18next treats a dot as a separator. */
function keyOf<Type extends EventType>(type: Type) {
  return type.replace('.', '_') as Type extends `${infer Group}.${infer Name}` ? `${Group}_${Name}` : never
}
