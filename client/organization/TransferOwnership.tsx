import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Section } from '../ui/Section.tsx'
import { toast } from '../ui/toast.tsx'
import { useOrganization } from './current-organization.ts'
import type { MemberRow } from './member-row.ts'
import { PersonPicker } from './PersonPicker.tsx'

/** Transfers ownership to another member, so that a sole owner can leave. */
export function TransferOwnership() {
  const { t } = useTranslation()
  const { organization } = useOrganization()
  const organizationId = organization.id
  const [newOwner, setNewOwner] = useState<MemberRow>()
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const transfer = trpc.organization.transferOwnership.useMutation({
    onSuccess: () => {
      setConfirmOpen(false)
      toast(t('organization.transferred', { name: newOwner?.user.name ?? '' }))
    },
  })
  return (
    <Section title={t('organization.transfer')} why={t('organization.transferWhy')}>
      {organization.counts.members === 1 ? (
        <Stack gap="md" align="flex-start">
          <Text c="dimmed">{t('organization.noCandidates')}</Text>
          <ButtonLink
            to="/o/$slug/invitations"
            params={{ slug: organization.slug }}
            search={{ invite: true }}
            variant="default"
          >
            {t('members.invite')}
          </ButtonLink>
        </Stack>
      ) : (
        <Group gap="sm" align="flex-end">
          <PersonPicker
            organizationId={organizationId}
            label={t('organization.newOwner')}
            isLeftOut={({ id }) => id === organization.me.id}
            value={newOwner}
            onChoose={setNewOwner}
          />
          <Button variant="default" disabled={!newOwner} onClick={() => setConfirmOpen(true)}>
            {t('organization.transfer')}
          </Button>
        </Group>
      )}
      {isConfirmOpen && newOwner && (
        <Confirm
          title={t('organization.transfer')}
          lead={`${newOwner.user.name} · ${newOwner.user.email}. ${t('organization.transferWhy')}`}
          action={t('organization.transfer')}
          isPending={transfer.isPending}
          error={transfer.error}
          onConfirm={() => transfer.mutate({ organizationId, memberId: newOwner.id })}
          onClose={() => setConfirmOpen(false)}
        />
      )}
    </Section>
  )
}
