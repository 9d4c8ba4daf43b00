import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Refused } from '../ui/Form.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Section } from '../ui/Section.tsx'
import { useOrganization } from './current-organization.ts'

/** Number of members listed initially; others are found by search. */
const maxShown = 100

/** Transfers ownership to another member, so that a sole owner can leave. */
export function TransferOwnership() {
  const { t } = useTranslation()
  const { organization } = useOrganization()
  const organizationId = organization.id
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 200)
  const members = trpc.organization.members.useQuery(
    { organizationId, search, limit: maxShown },
    { placeholderData: keepPreviousData },
  )
  const others = members.data?.members.filter(({ id }) => id !== organization.me.id) ?? []
  const [memberId, setMemberId] = useState('')
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const newOwner = others.find(({ id }) => id === memberId)
  const transfer = trpc.organization.transferOwnership.useMutation({ onSuccess: () => setConfirmOpen(false) })
  return (
    <Section title={t('organization.transfer')} why={t('organization.transferWhy')}>
      {organization.counts.members === 1 ? (
        <Stack gap="md" align="flex-start">
          <Text c="dimmed">{t('organization.noCandidates')}</Text>
          <ButtonLink to="/o/$slug/invitations" params={{ slug: organization.slug }} variant="default">
            {t('members.invite')}
          </ButtonLink>
        </Stack>
      ) : (
        <Group gap="sm" align="flex-end">
          {organization.counts.members > maxShown && (
            <TextInput
              label={t('members.search')}
              type="search"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          )}
          <NativeSelect
            style={{ flex: '1 1 240px', maxWidth: 360 }}
            label={t('organization.newOwner')}
            value={memberId}
            onChange={(event) => setMemberId(event.currentTarget.value)}
            data={[
              { value: '', label: t('organization.choose') },
              ...others.map(({ id, user }) => ({ value: id, label: `${user.name} · ${user.email}` })),
            ]}
          />
          <Button variant="default" disabled={!newOwner} onClick={() => setConfirmOpen(true)}>
            {t('organization.transfer')}
          </Button>
        </Group>
      )}
      <Refused error={members.error} />
      {isConfirmOpen && newOwner && (
        <Confirm
          title={t('organization.transfer')}
          lead={`${newOwner.user.name} · ${newOwner.user.email}. ${t('organization.transferWhy')}`}
          action={t('organization.transfer')}
          isPending={transfer.isPending}
          error={transfer.error}
          onConfirm={() => transfer.mutate({ organizationId, memberId })}
          onClose={() => setConfirmOpen(false)}
        />
      )}
    </Section>
  )
}
