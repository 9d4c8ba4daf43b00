import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { forgetUnused } from '../api/query-client.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { SettingRow } from '../ui/Section.tsx'
import { toast } from '../ui/toast.tsx'
import { useOrganization } from './current-organization.ts'

/** Leaves the organization. A sole owner is shown what to do first. */
export function LeaveOrganization() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { organization, isOwnedByUser } = useOrganization()
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const names = { organization: organization.name }
  const finish = async () => {
    await navigate({ to: '/' })
    forgetUnused()
    toast(t('members.left', names))
  }
  const leave = trpc.organization.leave.useMutation({ onSuccess: () => void finish() })
  const isSoleOwner = isOwnedByUser && organization.counts.owners === 1
  return (
    <SettingRow
      name={t('members.leave', names)}
      description={isSoleOwner ? t('organization.soleOwner') : t('organization.leaveDescription')}
    >
      <Button size="sm" variant="default" color="danger" disabled={isSoleOwner} onClick={() => setConfirmOpen(true)}>
        {t('members.leave', names)}
      </Button>
      {isConfirmOpen && (
        <Confirm
          title={t('members.leaveTitle', names)}
          description={t('organization.leaveDescription')}
          action={t('members.leave', names)}
          isPending={leave.isPending}
          error={leave.error}
          onConfirm={() => leave.mutate({ organizationId: organization.id })}
          onClose={() => setConfirmOpen(false)}
        />
      )}
    </SettingRow>
  )
}
