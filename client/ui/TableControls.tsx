import { Button, CloseButton, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from '../language/translation.ts'
import { Empty } from './Empty.tsx'
import { ChevronIcon } from './icons.tsx'
import { SearchIcon } from './screen-icons.tsx'
import classes from './TableControls.module.css'

/** How long the search waits for further typing, in milliseconds. */
const pauseMs = 200

/** The search field of a table. It follows the URL, which changes with "Back". */
export function TableFind({ label, value, onFind }: { label: string; value: string; onFind: (text: string) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  const find = useDebouncedCallback((text: string) => {
    setShown(text)
    onFind(text)
  }, pauseMs)
  // Changed by a navigation, not by typing.
  if (value !== shown) {
    setShown(value)
    setTyped(value)
  }
  const change = (text: string) => {
    setTyped(text)
    find(text)
  }
  return (
    <TextInput
      className={classes.find ?? ''}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<SearchIcon />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label={t('common.clear')} onClick={() => change('')} />}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      // Applied before the next click takes effect: a later search would navigate back from there.
      onBlur={() => find.flush()}
    />
  )
}

type Choice = { value: string; label: string }

/** A filter of a table. The first choice means no filter. */
export function TableFilter({
  label,
  value,
  choices,
  onFilter,
}: {
  label: string
  value: string
  choices: readonly Choice[]
  onFilter: (value: string) => void
}) {
  return (
    <NativeSelect
      className={classes.filter ?? ''}
      aria-label={label}
      value={value}
      data={[...choices]}
      rightSection={<ChevronIcon />}
      onChange={(event) => onFilter(event.currentTarget.value)}
    />
  )
}

/** Content of a table without rows. If search and filters match nothing, there is a button to clear them. */
export function EmptyResult({ text, isFiltered, onClear }: { text: string; isFiltered: boolean; onClear: () => void }) {
  const { t } = useTranslation()
  if (!isFiltered) return <Empty text={text} />
  return (
    <div className={classes.none}>
      <p>{text}</p>
      <Button variant="default" size="sm" onClick={onClear}>
        {t('table.clearFilters')}
      </Button>
    </div>
  )
}
