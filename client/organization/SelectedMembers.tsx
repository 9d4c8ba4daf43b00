import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Role } from '../../shared/permissions.ts'
import { trpc } from '../app/trpc.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { Refused } from '../ui/Form.tsx'
import { toast } from '../ui/toast.tsx'
import { useOrganization } from './current-organization.ts'
import type { MemberRow } from './member-row.ts'
import { RoleChoice } from './Roles.tsx'
import classes from './SelectedMembers.module.css'

/** What can be done with several members at once. The first refusal ends it and is shown; those before it are done. */
export function SelectedMembers({ members, onDone }: { members: readonly MemberRow[]; onDone: () => void }) {
  const { t } = useTranslation()
  const { organization, isOwnedByUser } = useOrganization()
  const organizationId = organization.id
  const [open, setOpen] = useState<'role' | 'remove'>()
  const [role, setRole] = useState<Role>('member')
  const change = trpc.organization.updateMemberRole.useMutation()
  const remove = trpc.organization.removeMember.useMutation()
  const forEach = async (call: (memberId: string) => Promise<unknown>, message: string) => {
    // One after the other, because each is decided under the organization's lock.
    for (const { id } of members) await call(id)
    toast(message)
    setOpen(undefined)
    onDone()
  }
  const names = members.map(({ user }) => user.name).join(', ')
  return (
    <span className={classes.bar}>
      <span>{t('table.selected', { count: members.length })}</span>
      <Button size="sm" variant="default" onClick={() => setOpen('role')}>
        {t('members.changeRole')}
      </Button>
      <Button size="sm" variant="default" color="danger" onClick={() => setOpen('remove')}>
        {t('members.remove')}
      </Button>
      {open === 'role' && (
        <Dialog title={t('members.changeRole')} lead={names} onClose={() => setOpen(undefined)}>
          <Stack gap="md">
            <RoleChoice value={role} onChange={setRole} canAssignOwner={isOwnedByUser} />
            <Refused error={change.error} />
            <DialogActions onClose={() => setOpen(undefined)}>
              <Button
                loading={change.isPending}
                onClick={() =>
                  void forEach(
                    (memberId) => change.mutateAsync({ organizationId, memberId, role }),
                    t('members.saved', { name: names }),
                  ).catch(() => {})
                }
              >
                {t('settings.save')}
              </Button>
            </DialogActions>
          </Stack>
        </Dialog>
      )}
      {open === 'remove' && (
        <Confirm
          title={t('members.removeTitle', { name: names })}
          lead={t('members.removeLead', { organization: organization.name })}
          action={t('members.remove')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            void forEach(
              (memberIdOrEmail) => remove.mutateAsync({ organizationId, memberIdOrEmail }),
              t('members.removed', { name: names }),
            ).catch(() => {})
          }
          onClose={() => setOpen(undefined)}
        />
      )}
    </span>
  )
}
