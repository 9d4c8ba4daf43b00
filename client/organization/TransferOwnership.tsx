import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { SettingRow } from '../ui/Section.tsx'
import { toast } from '../ui/toast.tsx'
import { useOrganization } from './current-organization.ts'
import type { MemberRow } from './member-row.ts'
import { MemberPicker } from './MemberPicker.tsx'

/** Transfers ownership to another member, so that a sole owner can leave. */
export function TransferOwnership() {
  const { t } = useTranslation()
  const { organization } = useOrganization()
  const [isOpen, setOpen] = useState(false)
  const hasCandidates = organization.counts.members > 1
  return (
    <SettingRow
      name={t('organization.transfer')}
      description={hasCandidates ? t('organization.transferDescription') : t('organization.noCandidates')}
    >
      {hasCandidates ? (
        <Button size="sm" variant="default" onClick={() => setOpen(true)}>
          {t('organization.transfer')}
        </Button>
      ) : (
        <ButtonLink
          to="/o/$slug/invitations"
          params={{ slug: organization.slug }}
          search={{ invite: true }}
          size="sm"
          variant="default"
        >
          {t('members.invite')}
        </ButtonLink>
      )}
      {isOpen && <Transfer onClose={() => setOpen(false)} />}
    </SettingRow>
  )
}

function Transfer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { organization } = useOrganization()
  const organizationId = organization.id
  const [newOwner, setNewOwner] = useState<MemberRow>()
  const transfer = trpc.organization.transferOwnership.useMutation({
    onSuccess: () => {
      toast(t('organization.transferred', { name: newOwner?.user.name ?? '' }))
      onClose()
    },
  })
  return (
    <Dialog title={t('organization.transfer')} description={t('organization.transferDescription')} onClose={onClose}>
      <Stack gap="md">
        <MemberPicker
          organizationId={organizationId}
          label={t('organization.newOwner')}
          isLeftOut={({ id }) => id === organization.me.id}
          value={newOwner}
          onChoose={setNewOwner}
        />
        <ErrorMessage error={transfer.error} />
        <DialogActions onClose={onClose}>
          <Button
            disabled={!newOwner}
            loading={transfer.isPending}
            onClick={() => newOwner && transfer.mutate({ organizationId, memberId: newOwner.id })}
          >
            {t('organization.transfer')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  )
}
