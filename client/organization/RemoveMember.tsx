import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { toast } from '../ui/toast.tsx'
import { useOrganization } from './current-organization.ts'
import type { MemberRow } from './member-row.ts'

/** Removes a member immediately. Security-relevant actions have no undo. */
export function RemoveMember({ member, onClose }: { member: MemberRow; onClose: () => void }) {
  const { t } = useTranslation()
  const { organization } = useOrganization()
  const { name } = member.user
  const remove = trpc.organization.removeMember.useMutation({
    onSuccess: () => {
      toast(t('members.removed', { name }))
      onClose()
    },
  })
  return (
    <Confirm
      title={t('members.removeTitle', { name })}
      description={t('members.removeDescription', { organization: organization.name })}
      action={t('common.remove')}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ organizationId: organization.id, memberIdOrEmail: member.id })}
      onClose={onClose}
    />
  )
}
