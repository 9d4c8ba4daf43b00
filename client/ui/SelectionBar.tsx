import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../language/translation.ts'
import { ErrorMessage } from './ErrorMessage.tsx'
import classes from './SelectionBar.module.css'

/** What can be done with the selected rows of a table. */
export function SelectionBar({ count, children }: { count: number; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <span className={classes.bar}>
      <span>{t('table.selected', { count })}</span>
      {children}
    </span>
  )
}

type FailureProps = { failure: { error: unknown; done: number } | undefined; total: number }

/** Why an action stopped, and how many rows it had changed before. */
export function BatchError({ failure, total }: FailureProps) {
  const { t } = useTranslation()
  if (!failure) return null
  return (
    <>
      {failure.done > 0 && <Text>{t('table.severalLeft', { done: failure.done, total })}</Text>}
      <ErrorMessage error={failure.error} />
    </>
  )
}

/** Maximum number of names in a dialog. */
const maxNames = 3

/** The first names of several, and the number of the others. */
export function useListed() {
  const { t } = useTranslation()
  return (all: readonly string[]): string => {
    const names = all.slice(0, maxNames).join(', ')
    return all.length > maxNames ? t('table.andMore', { names, count: all.length - maxNames }) : names
  }
}
