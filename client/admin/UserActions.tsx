import { Button, Menu, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { NewPasswordField } from '../account/NewPasswordField.tsx'
import { usePasswordRule } from '../account/password-rule.ts'
import { refusalOf } from '../api/call-errors.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { dayOf, midnight } from '../ui/days.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { setFieldError } from '../ui/Form.tsx'
import { ChevronIcon } from '../ui/icons.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { toast } from '../ui/toast.tsx'

type User = Outputs['admin']['getUser']
type ActionProps = { user: User; onClose: () => void }
type Action = 'impersonate' | 'password' | 'role' | 'twoFactor' | 'suspend' | 'delete'

/** All actions of an administrator on a user. Administrators cannot use them on themselves. */
export function UserActions({ user, hasPasskeys }: { user: User; hasPasskeys: boolean }) {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  const [open, setOpen] = useState<Action>()
  const unban = trpc.admin.unbanUser.useMutation({
    onSuccess: () => toast(t('users.lifted', { name: user.name })),
  })
  if (user.id === current?.user.id) return null
  const isAdministrator = user.role === 'admin'
  const close = () => setOpen(undefined)
  const dialogs: Record<Action, ReactNode> = {
    impersonate: <Impersonate user={user} onClose={close} />,
    password: <SetPassword user={user} onClose={close} />,
    role: <SetRole user={user} onClose={close} />,
    twoFactor: <RemoveTwoFactor user={user} onClose={close} />,
    suspend: <Suspend user={user} onClose={close} />,
    delete: <Delete user={user} onClose={close} />,
  }
  return (
    <>
      {!isAdministrator && !user.banned && (
        <Button variant="default" onClick={() => setOpen('impersonate')}>
          {t('users.impersonate')}
        </Button>
      )}
      <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            variant="default"
            rightSection={<ChevronIcon />}
            aria-label={t('common.actions', { name: user.name })}
          >
            {t('users.actions')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {!isAdministrator && <Menu.Item onClick={() => setOpen('password')}>{t('users.setPassword')}</Menu.Item>}
          <Menu.Item onClick={() => setOpen('role')}>
            {isAdministrator ? t('users.revoke') : t('users.promote')}
          </Menu.Item>
          {(user.twoFactorEnabled || hasPasskeys) && (
            <Menu.Item onClick={() => setOpen('twoFactor')}>{t('users.removeTwoFactor')}</Menu.Item>
          )}
          {user.banned ? (
            <Menu.Item onClick={() => unban.mutate({ userId: user.id })}>{t('users.lift')}</Menu.Item>
          ) : (
            <Menu.Item color="var(--danger)" onClick={() => setOpen('suspend')}>
              {t('users.suspend')}
            </Menu.Item>
          )}
          <Menu.Item color="var(--danger)" onClick={() => setOpen('delete')}>
            {t('users.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ErrorMessage error={unban.error} />
      {open && dialogs[open]}
    </>
  )
}

function Impersonate({ user, onClose }: ActionProps) {
  const { t } = useTranslation()
  const impersonate = trpc.admin.impersonateUser.useMutation({
    // A full page load, so that no data of the administrator stays in memory.
    onSuccess: () => location.assign('/'),
  })
  return (
    <Dialog title={t('users.impersonateTitle', { name: user.name })} onClose={onClose}>
      <Stack gap="md">
        <Text>{t('users.impersonateDescription')}</Text>
        <ErrorMessage error={impersonate.error} />
        <DialogActions onClose={onClose}>
          <Button
            loading={impersonate.isPending || impersonate.isSuccess}
            onClick={() => impersonate.mutate({ userId: user.id })}
          >
            {t('users.impersonate')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  )
}

function RemoveTwoFactor({ user, onClose }: ActionProps) {
  const { t } = useTranslation()
  const remove = trpc.admin.startFactorRemoval.useMutation({
    onSuccess: () => {
      toast(t('users.twoFactorRemoval'))
      onClose()
    },
  })
  return (
    <Confirm
      title={t('users.removeTwoFactorTitle', { name: user.name })}
      description={t('users.removeTwoFactorDescription')}
      action={t('users.removeTwoFactor')}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ userId: user.id })}
      onClose={onClose}
    />
  )
}

const passwordFields = ['password'] as const

function SetPassword({ user, onClose }: ActionProps) {
  const { t } = useTranslation()
  const rule = usePasswordRule()
  const form = useScreenForm(z.object({ password: rule.schema }), { defaultValues: { password: '' } })
  const set = trpc.admin.setUserPassword.useMutation({
    onSuccess: () => {
      toast(t('users.passwordSet', { name: user.name }))
      onClose()
    },
    onError: (error) => setFieldError(form, error, passwordFields),
  })
  return (
    <Dialog
      title={t('users.setPassword')}
      description={t('users.setPasswordDescription', { name: user.name })}
      onClose={onClose}
    >
      <form
        noValidate
        onSubmit={form.handleSubmit(({ password }) => set.mutate({ userId: user.id, newPassword: password }))}
      >
        <Stack gap="md">
          <NewPasswordField form={form} label={t('common.newPassword')} autoFocus />
          <ErrorMessage error={set.error} names={passwordFields} />
          <DialogActions onClose={onClose}>
            <Button type="submit" loading={set.isPending}>
              {t('users.setPassword')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}

function SetRole({ user, onClose }: ActionProps) {
  const { t } = useTranslation()
  const isAdministrator = user.role === 'admin'
  const set = trpc.admin.setRole.useMutation({
    onSuccess: () => {
      toast(t(isAdministrator ? 'admin.revoked' : 'users.promoted', { name: user.name }))
      onClose()
    },
  })
  const isUnverified = refusalOf(set.error) === 'EMAIL_NOT_VERIFIED'
  return (
    <Confirm
      title={isAdministrator ? t('admin.revokeTitle') : t('users.promoteTitle', { name: user.name })}
      description={t(isAdministrator ? 'admin.revokeDescription' : 'users.promoteDescription', { name: user.name })}
      action={isAdministrator ? t('admin.revoke') : t('users.promote')}
      isPending={set.isPending}
      error={isUnverified ? null : set.error}
      // The text of the refusal is for the user.
      details={isUnverified && <Text role="alert">{t('users.promoteUnverified')}</Text>}
      onConfirm={() => set.mutate({ userId: user.id, role: isAdministrator ? 'user' : 'admin' })}
      onClose={onClose}
    />
  )
}

/** Lengths of a suspension, in seconds. */
const lengths = { day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const
const choices = ['forever', 'day', 'week', 'month', 'date'] as const

/** Seconds until a suspension ends. One until a date ends with that day, in the administrator's time zone. */
function secondsOf(length: (typeof choices)[number], lastDay: string): { banExpiresIn?: number } {
  if (length === 'forever') return {}
  if (length !== 'date') return { banExpiresIn: lengths[length] }
  const end = new Date(midnight(lastDay, 1)).getTime()
  return { banExpiresIn: Math.max(1, Math.round((end - Date.now()) / 1000)) }
}

function Suspend({ user, onClose }: ActionProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [length, setLength] = useState<(typeof choices)[number]>('forever')
  const [lastDay, setLastDay] = useState('')
  const [today] = useState(() => dayOf(new Date()))
  const ban = trpc.admin.banUser.useMutation({
    onSuccess: () => {
      toast(t('users.suspendedToast', { name: user.name }))
      onClose()
    },
  })
  return (
    <Dialog
      title={t('users.suspendTitle', { name: user.name })}
      description={t('users.suspendDescription')}
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          ban.mutate({
            userId: user.id,
            ...(reason.trim() !== '' && { banReason: reason }),
            ...secondsOf(length, lastDay),
          })
        }}
      >
        <Stack gap="md">
          <Textarea
            label={t('users.reason')}
            description={t('users.reasonDescription')}
            value={reason}
            maxLength={500}
            autosize
            minRows={2}
            data-autofocus
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('users.length')}
            value={length}
            rightSection={<ChevronIcon />}
            data={choices.map((value) => ({ value, label: t(`users.${value}`) }))}
            onChange={({ currentTarget: { value } }) =>
              setLength(choices.find((choice) => choice === value) ?? 'forever')
            }
          />
          {length === 'date' && (
            <TextInput
              type="date"
              label={t('users.lastDay')}
              value={lastDay}
              required
              withAsterisk={false}
              min={today}
              onChange={({ currentTarget }) => setLastDay(currentTarget.value)}
            />
          )}
          <ErrorMessage error={ban.error} />
          <DialogActions onClose={onClose}>
            <Button type="submit" color="danger" loading={ban.isPending}>
              {t('users.suspend')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}

function Delete({ user, onClose }: ActionProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const remove = trpc.admin.removeUser.useMutation({
    onSuccess: () => {
      toast(t('users.deleted', { name: user.name }))
      void navigate({ to: '/admin/users' })
    },
  })
  return (
    <Confirm
      title={t('users.deleteTitle', { name: user.name })}
      description={t('users.deleteDescription', { email: user.email })}
      action={t('users.delete')}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ userId: user.id })}
      onClose={onClose}
    />
  )
}
