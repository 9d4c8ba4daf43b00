import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { isRole, type Role } from '../../shared/permissions.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { SelectionBar, BatchError, useListed } from '../ui/SelectionBar.tsx'
import { toast } from '../ui/toast.tsx'
import { useForEach } from '../ui/use-for-each.ts'
import { useOrganization } from './current-organization.ts'
import type { MemberRow } from './member-row.ts'
import { RoleChoice } from './Roles.tsx'

/** Actions on several members together. */
export function SelectedMembers({ members, onDone }: { members: readonly MemberRow[]; onDone: () => void }) {
  const { t } = useTranslation()
  const listed = useListed()
  const { organization, isOwnedByUser } = useOrganization()
  const organizationId = organization.id
  const [open, setOpen] = useState<'role' | 'remove'>()
  const [role, setRole] = useState<Role>('member')
  const change = trpc.organization.updateMemberRole.useMutation()
  const remove = trpc.organization.removeMember.useMutation()
  const { affected, isBusy, failure, run, reset } = useForEach(members)
  const close = () => {
    if (isBusy) return
    setOpen(undefined)
    reset()
  }
  const finish = (message: string, undo?: () => Promise<unknown>) => {
    toast(message, undo)
    setOpen(undefined)
    onDone()
  }
  const changeRoles = async () => {
    const before = [...members]
    const isDone = await run(({ id: memberId }) => change.mutateAsync({ organizationId, memberId, role }))
    if (!isDone) return
    const undo = async () => {
      for (const { id: memberId, role: former } of before) {
        if (isRole(former)) await change.mutateAsync({ organizationId, memberId, role: former })
      }
    }
    finish(
      t('members.severalDone', { count: before.length }),
      before.every((one) => isRole(one.role)) ? undo : undefined,
    )
  }
  const removeAll = async () => {
    const count = members.length
    const isDone = await run(({ id }) => remove.mutateAsync({ organizationId, memberIdOrEmail: id }))
    if (isDone) finish(t('members.severalRemoved', { count }))
  }
  const description = listed(affected.map(({ user }) => user.name))
  const problem = <BatchError failure={failure} total={affected.length} />
  return (
    <SelectionBar count={members.length}>
      <Button size="sm" variant="default" onClick={() => setOpen('role')}>
        {t('members.changeRole')}
      </Button>
      <Button size="sm" variant="default" color="danger" onClick={() => setOpen('remove')}>
        {t('common.remove')}
      </Button>
      {open === 'role' && (
        <Dialog title={t('members.changeRole')} description={description} isPersistent={isBusy} onClose={close}>
          <Stack gap="md">
            <RoleChoice value={role} onChange={setRole} canAssignOwner={isOwnedByUser} />
            {problem}
            <DialogActions isBusy={isBusy} onClose={close}>
              <Button loading={isBusy} onClick={() => void changeRoles()}>
                {t('common.save')}
              </Button>
            </DialogActions>
          </Stack>
        </Dialog>
      )}
      {open === 'remove' && (
        <Dialog title={t('members.removeSeveral')} description={description} isPersistent={isBusy} onClose={close}>
          <Stack gap="md">
            <Text>{t('members.removeDescription', { organization: organization.name })}</Text>
            {problem}
            <DialogActions isBusy={isBusy} onClose={close}>
              <Button color="danger" loading={isBusy} onClick={() => void removeAll()}>
                {t('common.remove')}
              </Button>
            </DialogActions>
          </Stack>
        </Dialog>
      )}
    </SelectionBar>
  )
}
