import { Button, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { useReauthentication } from '../session/Reauthenticate.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Section } from '../ui/Section.tsx'
import { useOrganization } from './current-organization.ts'

/** Leaves the organization. A sole owner is shown what to do first. */
export function LeaveOrganization() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { organization, isOwnedByUser } = useOrganization()
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const { guard, dialog } = useReauthentication()
  const leave = trpc.organization.leave.useMutation({
    onSuccess: () => void navigate({ to: '/' }),
    onError: (error, sent) => guard(error, () => leave.mutate(sent)),
  })
  const names = { organization: organization.name }
  const isSoleOwner = isOwnedByUser && organization.counts.owners === 1
  return (
    <Section title={t('members.leave', names)}>
      {isSoleOwner ? (
        <Text c="dimmed">{t('organization.soleOwner')}</Text>
      ) : (
        <>
          <Text c="dimmed" mb="md">
            {t('organization.leaveWhy')}
          </Text>
          <Button variant="default" color="danger" onClick={() => setConfirmOpen(true)}>
            {t('members.leave', names)}
          </Button>
        </>
      )}
      {isConfirmOpen && (
        <Confirm
          title={t('members.leaveTitle', names)}
          lead={t('organization.leaveWhy')}
          action={t('members.leave', names)}
          isPending={leave.isPending}
          error={leave.error}
          onConfirm={() => leave.mutate({ organizationId: organization.id })}
          onClose={() => setConfirmOpen(false)}
        />
      )}
      {dialog}
    </Section>
  )
}
