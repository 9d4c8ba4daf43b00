import { Button, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../language/translation.ts'
import { ErrorMessage } from './ErrorMessage.tsx'

/** The parts of an infinite query that a list needs. */
type Pages = {
  isPending: boolean
  isSuccess: boolean
  error: unknown
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

type PagedListProps = {
  list: Pages
  isEmpty: boolean
  /** Text of an empty list. */
  empty: string
  children: ReactNode
}

/** A list that grows page by page: its rows, and its states while it loads, is empty, fails or has more. */
export function PagedList({ list, isEmpty, empty, children }: PagedListProps) {
  const { t } = useTranslation()
  if (list.isPending) {
    return (
      <Stack component="output" gap="sm" aria-label={t('common.loading')}>
        <Skeleton height={44} />
        <Skeleton height={44} />
        <Skeleton height={44} />
      </Stack>
    )
  }
  return (
    <>
      {list.isSuccess && isEmpty ? <Text c="dimmed">{empty}</Text> : children}
      <ErrorMessage error={list.error} />
      {list.hasNextPage && (
        <Button mt="sm" variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('common.more')}
        </Button>
      )}
    </>
  )
}
