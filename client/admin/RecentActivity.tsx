import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { type EventFilter, eventQueryOf } from '../event/event-filter.ts'
import { EventTable, pagesOfEvents } from '../event/EventTable.tsx'
import { useTranslation } from '../language/translation.ts'
import { Section } from '../ui/Section.tsx'

const eventsPerPage = 25

/** The events of one user, or of one organization, with filters. */
export function RecentActivity({ of }: { of: { userId: string } | { organizationId: string } }) {
  const { t } = useTranslation()
  const [filter, setFilter] = useState<EventFilter>({})
  const list = trpc.admin.events.useInfiniteQuery(
    { ...of, ...eventQueryOf(filter), limit: eventsPerPage },
    pagesOfEvents,
  )
  return (
    <Section title={t('common.activity')} isBare>
      <EventTable
        label={t('common.activity')}
        list={list}
        showsSubjects
        filter={filter}
        onFilter={(changed) => setFilter((old) => ({ ...old, ...changed }))}
      />
    </Section>
  )
}
