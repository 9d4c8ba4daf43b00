import { Button, NativeSelect, Stack } from '@mantine/core'
import { useState } from 'react'
import { roles, rolesOf } from '../../shared/permissions.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { ChevronIcon } from '../ui/icons.tsx'
import { toast } from '../ui/toast.tsx'
import { useOrganization } from './current-organization.ts'
import type { MemberRow } from './member-row.ts'
import { RoleChoice, useRoleName } from './Roles.tsx'

type MemberRoleProps = {
  member: MemberRow
  teams: Outputs['team']['list']
  onClose: () => void
}

/** Changes a member's role and team. If a member has several roles, the strongest is shown. */
export function MemberRole({ member, teams, onClose }: MemberRoleProps) {
  const { t } = useTranslation()
  const { organization, isOwnedByUser } = useOrganization()
  const roleName = useRoleName()
  const strongest = roles.find((name) => rolesOf(member.role).includes(name)) ?? 'member'
  const [role, setRole] = useState(strongest)
  const [teamId, setTeamId] = useState(member.teamId ?? '')
  const change = trpc.organization.updateMemberRole.useMutation()
  const assign = trpc.team.assign.useMutation()
  const { id: organizationId, name: organizationName } = organization
  const { id: memberId, user } = member
  const undo = async (before: { role: string[]; teamId: string | null }) => {
    if (role !== strongest) await change.mutateAsync({ organizationId, memberId, role: before.role })
    if (teamId !== (before.teamId ?? '')) await assign.mutateAsync({ organizationId, memberId, teamId: before.teamId })
  }
  const save = async () => {
    // A failed mutation shows its error below, and the remaining one is not sent.
    if (role !== strongest) await change.mutateAsync({ organizationId, memberId, role })
    if (teamId !== (member.teamId ?? '')) await assign.mutateAsync({ organizationId, memberId, teamId: teamId || null })
    const before = { role: member.role.split(','), teamId: member.teamId }
    const isRoleChanged = role !== strongest
    const message = isRoleChanged
      ? t('members.roleSaved', { name: user.name, role: roleName(role) })
      : t('members.saved', { name: user.name })
    toast(message, () => undo(before))
    onClose()
  }
  return (
    <Dialog title={t('members.roleOf', { name: user.name, organization: organizationName })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // The error is shown below.
          void save().catch(() => {})
        }}
      >
        <Stack gap="md">
          <RoleChoice value={role} onChange={setRole} canAssignOwner={isOwnedByUser} />
          <NativeSelect
            rightSection={<ChevronIcon />}
            label={t('common.team')}
            value={teamId}
            onChange={(event) => setTeamId(event.currentTarget.value)}
            data={[
              { value: '', label: t('common.noTeam') },
              ...teams.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          <ErrorMessage error={change.error ?? assign.error} />
          <DialogActions onClose={onClose}>
            <Button type="submit" loading={change.isPending || assign.isPending}>
              {t('common.save')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
