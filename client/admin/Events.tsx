import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EventGroup } from '../../shared/event-group.ts'
import { trpc } from '../app/trpc.ts'
import { EventTable, pagesOfEvents } from '../event/EventTable.tsx'
import { Refused } from '../ui/Form.tsx'
import { Page } from '../ui/Page.tsx'

const perPage = 50
/** Milliseconds between two checks for new events. */
const lookMs = 5_000
/** Maximum number of events in a file. Programs read more from GET /api/events. */
const maxExported = 20_000

/** The events of this installation, updated live. */
export function Events() {
  const { t } = useTranslation()
  const [group, setGroup] = useState<EventGroup>()
  const wanted = group === undefined ? {} : { group }
  const list = trpc.admin.events.useInfiniteQuery(
    { limit: perPage, ...wanted },
    // Only the first page is refreshed, so that rows do not move while older ones are being read.
    { ...pagesOfEvents, refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? lookMs : false) },
  )
  const { save, count, error } = useExport(wanted)
  return (
    <Page
      title={t('operation.events')}
      lead={t('operation.live')}
      isWide
      actions={
        <Button variant="default" disabled={count !== undefined} onClick={() => void save()}>
          {count === undefined ? t('operation.export') : t('operation.exporting', { count })}
        </Button>
      }
    >
      <Refused error={error} />
      <EventTable label={t('operation.events')} list={list} group={group} onGroup={setGroup} />
    </Page>
  )
}

/** Reads all events of a filter and saves them as a file with one JSON object in each line. */
function useExport(wanted: { group?: EventGroup }) {
  const { client } = trpc.useUtils()
  const [count, setCount] = useState<number>()
  const [error, setError] = useState<unknown>()
  async function save(): Promise<void> {
    setError(undefined)
    setCount(0)
    try {
      const lines: string[] = []
      for (let cursor: string | undefined; lines.length < maxExported;) {
        const page = await client.admin.events.query({ ...wanted, limit: 100, ...(cursor !== undefined && { cursor }) })
        lines.push(...page.events.map((event) => JSON.stringify(event)))
        setCount(lines.length)
        if (page.next === null) break
        cursor = page.next
      }
      saveFile('events.ndjson', `${lines.join('\n')}\n`)
    } catch (failure) {
      setError(failure)
    }
    setCount(undefined)
  }
  return { save, count, error }
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}
