import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { eventQueryOf } from '../event/event-filter.ts'
import { EventTable, pagesOfEvents } from '../event/EventTable.tsx'
import { ExportEvents } from '../event/ExportEvents.tsx'
import { useTranslation } from '../language/translation.ts'
import { Page } from '../ui/Page.tsx'

const perPage = 50
/** Milliseconds between two checks for new events. */
const pollMs = 5_000
/** Number of users offered as actors. */
const maxOffered = 20

/** The events of this installation, updated live. */
export function Events() {
  const { t } = useTranslation()
  const { client } = trpc.useUtils()
  const filter = useSearch({ from: '/shell/administration/admin/events' })
  const navigate = useNavigate({ from: '/admin/events' })
  const wanted = eventQueryOf(filter)
  const list = trpc.admin.events.useInfiniteQuery(
    { limit: perPage, ...wanted },
    // Only the first page is refreshed, so that rows do not move while older ones are being read.
    { ...pagesOfEvents, refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? pollMs : false) },
  )
  const [search, setSearch] = useState('')
  const [debounced] = useDebouncedValue(search.trim(), 200)
  const users = trpc.admin.listUsers.useQuery(
    { limit: maxOffered, sortBy: 'name', ...(debounced !== '' && { searchValue: debounced, searchField: 'any' }) },
    { placeholderData: keepPreviousData },
  )
  return (
    <Page
      title={t('installation.events')}
      description={t('installation.live')}
      isWide
      actions={<ExportEvents read={(page) => client.admin.events.query({ ...wanted, ...page })} />}
    >
      <EventTable
        label={t('installation.events')}
        list={list}
        filter={filter}
        onFilter={(changed) => void navigate({ search: (old) => ({ ...old, ...changed }) })}
        showsSubjects
        actors={{ found: users.data?.users ?? [], onSearch: setSearch }}
      />
    </Page>
  )
}
