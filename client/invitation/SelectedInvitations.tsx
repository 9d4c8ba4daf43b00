import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useOrganization } from '../organization/current-organization.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { SelectionBar, BatchError, useListed } from '../ui/SelectionBar.tsx'
import { toast } from '../ui/toast.tsx'
import { useForEach } from '../ui/use-for-each.ts'

export type InvitationRow = Outputs['invitation']['search']['invitations'][number]

type SelectedInvitationsProps = { invitations: readonly InvitationRow[]; onDone: () => void }

/** Actions on several pending invitations together. */
export function SelectedInvitations({ invitations, onDone }: SelectedInvitationsProps) {
  const { t } = useTranslation()
  const listed = useListed()
  const { may } = useOrganization()
  const [isCanceling, setCanceling] = useState(false)
  const cancel = trpc.invitation.cancel.useMutation()
  const resend = trpc.invitation.create.useMutation()
  const canceling = useForEach(invitations)
  const resending = useForEach(invitations)
  const count = invitations.length
  const close = () => {
    if (canceling.isBusy) return
    setCanceling(false)
    canceling.reset()
  }
  const resendAll = async () => {
    const isDone = await resending.run(({ email, role, teamId, organizationId }) =>
      resend.mutateAsync({ email, role, teamId, organizationId, resend: true }),
    )
    if (!isDone) return
    toast(t('invite.severalResent', { count }))
    onDone()
  }
  const cancelAll = async () => {
    if (!(await canceling.run(({ id }) => cancel.mutateAsync({ invitationId: id })))) return
    toast(t('invite.severalCanceled', { count }))
    setCanceling(false)
    onDone()
  }
  return (
    <SelectionBar count={count}>
      {may('invitation', 'create') && (
        <Button size="sm" variant="default" loading={resending.isBusy} onClick={() => void resendAll()}>
          {t('invite.resend')}
        </Button>
      )}
      {may('invitation', 'cancel') && (
        <Button size="sm" variant="default" color="danger" onClick={() => setCanceling(true)}>
          {t('invite.cancelSeveralSubmit')}
        </Button>
      )}
      <BatchError failure={resending.failure} total={resending.affected.length} />
      {isCanceling && (
        <Dialog
          title={t('invite.cancelSeveral')}
          description={listed(canceling.affected.map(({ email }) => email))}
          isPersistent={canceling.isBusy}
          onClose={close}
        >
          <Stack gap="md">
            <Text>{t('invite.cancelSeveralDescription')}</Text>
            <BatchError failure={canceling.failure} total={canceling.affected.length} />
            <Group justify="flex-end">
              <Button variant="default" data-autofocus disabled={canceling.isBusy} onClick={close}>
                {t('invite.keepSeveral')}
              </Button>
              <Button color="danger" loading={canceling.isBusy} onClick={() => void cancelAll()}>
                {t('invite.cancelSeveralSubmit')}
              </Button>
            </Group>
          </Stack>
        </Dialog>
      )}
    </SelectionBar>
  )
}
