import { Button, Checkbox, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { Email } from '../../shared/account.ts'
import { Name } from '../../shared/schema.ts'
import { NewPasswordField } from '../account/NewPasswordField.tsx'
import { usePasswordRule } from '../account/password-rule.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field, setFieldError } from '../ui/Form.tsx'
import { useScreenForm } from '../ui/screen-form.ts'

const fields = ['name', 'email', 'password'] as const

/** Creates a user with a password, who is told by email if the address is verified. */
export function CreateUser({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const rule = usePasswordRule()
  const schema = z.object({
    name: Name,
    email: Email,
    password: rule.schema,
    isVerified: z.boolean(),
    sendEmail: z.boolean(),
  })
  const form = useScreenForm(schema, {
    defaultValues: { name: '', email: '', password: '', isVerified: false, sendEmail: true },
  })
  const create = trpc.admin.createUser.useMutation({
    onSuccess: ({ user }) => void navigate({ to: '/admin/users/$userId', params: { userId: user.id } }),
    onError: (error) => setFieldError(form, error, fields),
  })
  return (
    <Dialog title={t('users.create')} onClose={onClose}>
      <form
        noValidate
        onSubmit={form.handleSubmit(({ isVerified, ...sent }) =>
          create.mutate({ ...sent, data: { emailVerified: isVerified } }),
        )}
      >
        <Stack gap="md">
          <Field form={form} name="name" label={t('field.name')} autoComplete="off" data-autofocus />
          <Field form={form} name="email" type="email" label={t('field.email')} autoComplete="off" />
          <NewPasswordField form={form} label={t('field.password')} />
          <Checkbox
            {...form.register('isVerified')}
            label={t('users.isVerified')}
            description={t('users.isVerifiedDescription')}
          />
          {form.watch('isVerified') && (
            <Checkbox
              {...form.register('sendEmail')}
              label={t('users.sendEmail')}
              description={t('users.sendEmailDescription')}
            />
          )}
          <ErrorMessage error={create.error} names={fields} />
          <DialogActions onClose={onClose}>
            <Button type="submit" loading={create.isPending}>
              {t('users.create')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
