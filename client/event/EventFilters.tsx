import { Select, type SelectProps, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { EventGroup } from '../../shared/event-group.ts'
import { eventTypes } from '../../shared/event.ts'
import { useTranslation } from '../language/translation.ts'
import { ChevronIcon } from '../ui/icons.tsx'
import type { EventFilter } from './event-filter.ts'
import { useEventName } from './event-name.ts'
import classes from './EventTable.module.css'

export type EventActor = { id: string; name: string; email: string }

/** Users that can be chosen as the actor: the server searches. */
export type ActorChoice = { found: readonly EventActor[]; onSearch: (text: string) => void }

type Props = {
  filter: EventFilter
  /** Receives the filters that change. */
  onFilter: (changed: EventFilter) => void
  /** Groups offered by the filter. */
  groups: readonly EventGroup[]
  /** Omitted where all events have the same actor. */
  actors?: ActorChoice | undefined
  /** Name of the chosen actor, if a shown event has it. */
  actorName: string | undefined
}

/** Filters of a list of events: group or type, actor, and a period of whole days. */
export function EventFilters({ filter, onFilter, groups, actors, actorName }: Props) {
  const { t } = useTranslation()
  const { from, to } = filter
  return (
    <>
      <TypeFilter groups={groups} value={filter.type ?? filter.group} onChoose={onFilter} />
      {actors && (
        <ActorFilter
          {...actors}
          value={filter.actor}
          name={actorName}
          onChoose={(actor) => onFilter({ actor: actor ?? undefined })}
        />
      )}
      <div className={classes.days}>
        <DayFilter label={t('activity.from')} value={from} onDay={(day) => onFilter({ from: day })} max={to} />
        <DayFilter label={t('activity.to')} value={to} onDay={(day) => onFilter({ to: day })} min={from} />
      </div>
    </>
  )
}

type SearchableFilterProps = Pick<
  SelectProps,
  'className' | 'data' | 'renderOption' | 'filter' | 'onSearchChange' | 'placeholder'
> & {
  label: string
  value: string | null
  onChange: (value: string | null) => void
}

/** A filter whose choices are searched by typing; Enter takes the first. */
function SearchableFilter({ label, value, ...select }: SearchableFilterProps) {
  const { t } = useTranslation()
  return (
    <Select
      aria-label={label}
      searchable
      selectFirstOptionOnChange
      clearable={value !== null}
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      rightSection={value === null ? <ChevronIcon /> : undefined}
      comboboxProps={{ withinPortal: false, width: 'max-content', position: 'bottom-start' }}
      nothingFoundMessage={t('common.nothingFound')}
      // The list itself scrolls: screen readers support a list, not a scroll area around one.
      withScrollArea={false}
      // Its texts may be wider than a phone.
      styles={{ options: { maxHeight: 320, overflowY: 'auto' }, dropdown: { maxWidth: 'calc(100vw - 48px)' } }}
      value={value}
      {...select}
    />
  )
}

type TypeFilterProps = {
  groups: readonly EventGroup[]
  /** A group or an event type. */
  value: string | undefined
  onChoose: (chosen: Pick<EventFilter, 'group' | 'type'>) => void
}

/** Groups of events, each followed by its types. */
function TypeFilter({ groups, value, onChoose }: TypeFilterProps) {
  const { t } = useTranslation()
  const eventName = useEventName()
  const choices = groups.flatMap((group) => {
    const types = eventTypes.filter((type) => type.startsWith(`${group}.`))
    return [
      { value: group, label: t(`activity.${group}`) },
      ...(types.length > 1 ? types.map((type) => ({ value: type, label: eventName(type) })) : []),
    ]
  })
  const names = new Set<string>(groups)
  return (
    <SearchableFilter
      className={classes.type ?? ''}
      label={t('activity.filter')}
      placeholder={t('activity.all')}
      data={choices}
      value={choices.some((choice) => choice.value === value) ? (value ?? null) : null}
      renderOption={({ option }) => (
        <span className={names.has(option.value) ? classes.group : classes.ofGroup}>{option.label}</span>
      )}
      onChange={(chosen) =>
        onChoose({ group: groups.find((name) => name === chosen), type: eventTypes.find((type) => type === chosen) })
      }
    />
  )
}

type ActorFilterProps = ActorChoice & {
  value: string | undefined
  name: string | undefined
  onChoose: (id: string | null) => void
}

function ActorFilter({ found, onSearch, value, name, onChoose }: ActorFilterProps) {
  const { t } = useTranslation()
  const labels = new Map(found.map((actor) => [actor.id, `${actor.name} · ${actor.email}`]))
  // A former member, or an actor of a shared link, is not among those found.
  if (value !== undefined && !labels.has(value)) labels.set(value, name ?? t('activity.deletedUser'))
  return (
    <SearchableFilter
      className={classes.actor ?? ''}
      label={t('activity.who')}
      placeholder={t('activity.anyone')}
      filter={({ options }) => options}
      data={[...labels].map(([id, label]) => ({ value: id, label }))}
      value={value ?? null}
      onSearchChange={(text) => onSearch([...labels.values()].includes(text) ? '' : text)}
      onChange={onChoose}
    />
  )
}

type DayFilterProps = {
  label: string
  value: string | undefined
  onDay: (day: string | undefined) => void
  min?: string | undefined
  max?: string | undefined
}

/** A day. It is applied once it is complete: while it is typed, browsers report years such as 0002. */
function DayFilter({ label, value, onDay, min, max }: DayFilterProps) {
  const [typed, setTyped] = useState(value ?? '')
  const [shown, setShown] = useState(value)
  // Changed by a navigation, not by typing.
  if (value !== shown) {
    setShown(value)
    setTyped(value ?? '')
  }
  return (
    <label className={classes.day}>
      <span>{label}</span>
      <TextInput
        type="date"
        value={typed}
        min={min}
        max={max}
        onChange={({ currentTarget }) => {
          const day = currentTarget.value
          setTyped(day)
          if (day === '' || day >= '1970-01-01') onDay(day || undefined)
        }}
      />
    </label>
  )
}
