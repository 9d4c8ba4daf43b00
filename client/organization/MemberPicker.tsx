import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ChevronIcon } from '../ui/icons.tsx'
import type { MemberRow } from './member-row.ts'

type MemberPickerProps = {
  organizationId: string
  label: string
  /** Members that cannot be chosen. */
  isLeftOut: (member: MemberRow) => boolean
  value: MemberRow | undefined
  onChoose: (member: MemberRow | undefined) => void
}

/** Number of members offered before a search. */
const maxOffered = 20

/** Chooses a member of an organization: the server searches, so that it works for any number of members. */
export function MemberPicker({ organizationId, label, isLeftOut, value, onChoose }: MemberPickerProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [debounced] = useDebouncedValue(typed, 200)
  // The text of a chosen member is not a search.
  const search = value && debounced === labelOf(value) ? '' : debounced
  const found = trpc.organization.members.useQuery(
    { organizationId, search, limit: maxOffered, sort: 'name' },
    { placeholderData: keepPreviousData },
  )
  const members = (found.data?.members ?? []).filter((member) => !isLeftOut(member))
  const offered = value && !members.some(({ id }) => id === value.id) ? [value, ...members] : members
  return (
    <Select
      style={{ flex: '1 1 auto', maxWidth: 420 }}
      data-autofocus
      openOnFocus={false}
      label={label}
      placeholder={t('organization.choose')}
      searchable
      rightSection={value ? undefined : <ChevronIcon />}
      clearable={value !== undefined}
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      selectFirstOptionOnChange
      // A dialog with little height does not cut the list off.
      comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed' }}
      nothingFoundMessage={found.isSuccess ? t('members.empty') : undefined}
      value={value?.id ?? null}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      data={offered.map((member) => ({ value: member.id, label: labelOf(member) }))}
      onChange={(id) => onChoose(offered.find((member) => member.id === id))}
    />
  )
}

const labelOf = ({ user }: MemberRow) => `${user.name} · ${user.email}`
