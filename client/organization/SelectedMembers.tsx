import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../language/translation.ts'
import type { Role } from '../../shared/permissions.ts'
import { trpc } from '../api/trpc.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { Refused } from '../ui/Refused.tsx'
import { toast } from '../ui/toast.tsx'
import { useOrganization } from './current-organization.ts'
import type { MemberRow } from './member-row.ts'
import { RoleChoice } from './Roles.tsx'
import classes from './SelectedMembers.module.css'

/** Maximum number of names in a dialog. */
const maxNames = 3

/**
 * Actions on several members together. The first refusal stops the action and is shown with the number of members
 * already processed.
 */
export function SelectedMembers({ members, onDone }: { members: readonly MemberRow[]; onDone: () => void }) {
  const { t } = useTranslation()
  const { organization, isOwnedByUser } = useOrganization()
  const organizationId = organization.id
  const [open, setOpen] = useState<'role' | 'remove'>()
  const [role, setRole] = useState<Role>('member')
  // The list shrinks as members are removed.
  const [started, setStarted] = useState<readonly MemberRow[]>()
  const [failure, setFailure] = useState<{ error: unknown; done: number }>()
  const change = trpc.organization.updateMemberRole.useMutation()
  const remove = trpc.organization.removeMember.useMutation()
  const isBusy = started !== undefined && failure === undefined
  const affected = started ?? members
  const close = () => {
    if (isBusy) return
    setOpen(undefined)
    setStarted(undefined)
    setFailure(undefined)
  }
  const forEach = async (call: (memberId: string) => Promise<unknown>, done: 'severalDone' | 'severalRemoved') => {
    const all = [...members]
    setStarted(all)
    setFailure(undefined)
    for (const [at, { id }] of all.entries()) {
      try {
        // Sequential, because each is decided under the organization's lock.
        await call(id)
      } catch (error) {
        setFailure({ error, done: at })
        return
      }
    }
    toast(t(`members.${done}`, { count: all.length }))
    setStarted(undefined)
    setOpen(undefined)
    onDone()
  }
  const names = affected.slice(0, maxNames).map(({ user }) => user.name)
  const left = affected.length - names.length
  const listed = left > 0 ? t('members.more', { names: names.join(', '), count: left }) : names.join(', ')
  const problem = failure && (
    <>
      {failure.done > 0 && <Text>{t('members.severalLeft', { done: failure.done, total: affected.length })}</Text>}
      <Refused error={failure.error} />
    </>
  )
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
        <Dialog title={t('members.changeRole')} lead={listed} isKept={isBusy} onClose={close}>
          <Stack gap="md">
            <RoleChoice value={role} onChange={setRole} canAssignOwner={isOwnedByUser} />
            {problem}
            <DialogActions isBusy={isBusy} onClose={close}>
              <Button
                loading={isBusy}
                onClick={() =>
                  void forEach((memberId) => change.mutateAsync({ organizationId, memberId, role }), 'severalDone')
                }
              >
                {t('settings.save')}
              </Button>
            </DialogActions>
          </Stack>
        </Dialog>
      )}
      {open === 'remove' && (
        <Dialog title={t('members.removeSeveral')} lead={listed} isKept={isBusy} onClose={close}>
          <Stack gap="md">
            <Text>{t('members.removeLead', { organization: organization.name })}</Text>
            {problem}
            <DialogActions isBusy={isBusy} onClose={close}>
              <Button
                color="danger"
                loading={isBusy}
                onClick={() =>
                  void forEach(
                    (memberIdOrEmail) => remove.mutateAsync({ organizationId, memberIdOrEmail }),
                    'severalRemoved',
                  )
                }
              >
                {t('members.remove')}
              </Button>
            </DialogActions>
          </Stack>
        </Dialog>
      )}
    </span>
  )
}
