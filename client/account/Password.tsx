import { Button, Checkbox, Stack } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { PasswordField, setFieldError } from '../ui/Form.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { toast } from '../ui/toast.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'
import { usePasswordRule } from './password-rule.ts'

const fields = ['currentPassword', 'password'] as const

/** Changes the password in a dialog. */
export function ChangePasswordButton() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="sm" variant="default" onClick={() => setOpen(true)}>
        {t('password.submit')}
      </Button>
      {isOpen && <ChangePassword onClose={() => setOpen(false)} />}
    </>
  )
}

function ChangePassword({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const rule = usePasswordRule()
  const schema = z.object({
    currentPassword: z.string().min(1),
    password: rule.schema,
    revokeOtherSessions: z.boolean(),
  })
  const form = useScreenForm(schema, {
    defaultValues: { currentPassword: '', password: '', revokeOtherSessions: true },
  })
  const change = trpc.account.changePassword.useMutation({
    onSuccess: () => {
      toast(t('password.done'))
      onClose()
    },
    onError: (error) => setFieldError(form, error, fields),
  })
  return (
    <Dialog title={t('password.submit')} onClose={onClose}>
      <form
        noValidate
        onSubmit={form.handleSubmit(({ password, ...sent }) => change.mutate({ ...sent, newPassword: password }))}
      >
        <Stack gap="md">
          <PasswordField
            form={form}
            name="currentPassword"
            label={t('common.currentPassword')}
            autoComplete="current-password"
            data-autofocus
          />
          <NewPasswordField form={form} label={t('common.newPassword')} />
          <Checkbox {...form.register('revokeOtherSessions')} label={t('password.others')} />
          <ErrorMessage error={change.error} names={fields} />
          <DialogActions onClose={onClose}>
            <Button type="submit" loading={change.isPending}>
              {t('password.submit')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Has a link emailed to set the first password. */
export function SetFirstPassword() {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  const email = current?.user.email ?? ''
  const forget = trpc.account.forgetPassword.useMutation({ onSuccess: () => toast(t('forgot.sent', { email })) })
  return (
    <>
      <Button
        size="sm"
        variant="default"
        loading={forget.isPending}
        disabled={forget.isSuccess}
        onClick={() => forget.mutate({ email, redirectTo: '/reset-password' })}
      >
        {t('forgot.submit')}
      </Button>
      <ErrorMessage error={forget.error} />
    </>
  )
}
