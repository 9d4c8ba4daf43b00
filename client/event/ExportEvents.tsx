import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Outputs } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useReason } from '../ui/ErrorMessage.tsx'
import { saveFile } from '../ui/save-file.ts'
import { toast } from '../ui/toast.tsx'

/** Maximum number of events in a file. Programs read more through the API. */
const maxExported = 20_000

/** Arguments of one page of an export. */
export type ExportedPage = { limit: number; cursor?: string }

/** Saves all events of a list with its filters as a file with one JSON object in each line. */
export function ExportEvents({ read }: { read: (page: ExportedPage) => Promise<Outputs['account']['activity']> }) {
  const { t, language } = useTranslation()
  const reasonOf = useReason()
  const [count, setCount] = useState<number>()
  async function save(): Promise<void> {
    setCount(0)
    try {
      const lines: string[] = []
      let isComplete = false
      for (let cursor: string | undefined; !isComplete && lines.length < maxExported;) {
        const page = await read({ limit: 100, ...(cursor !== undefined && { cursor }) })
        lines.push(...page.events.map((event) => JSON.stringify(event)))
        setCount(lines.length)
        isComplete = page.next === null
        cursor = page.next ?? undefined
      }
      saveFile(
        'events.ndjson',
        new Blob(
          lines.map((line) => `${line}\n`),
          { type: 'application/x-ndjson' },
        ),
      )
      if (!isComplete) toast(t('activity.exportCut', { max: new Intl.NumberFormat(language).format(maxExported) }))
    } catch (error) {
      toast(reasonOf(error))
    }
    setCount(undefined)
  }
  return (
    <Button variant="default" disabled={count !== undefined} onClick={() => void save()}>
      {count === undefined ? t('activity.export') : t('activity.exporting', { count })}
    </Button>
  )
}
