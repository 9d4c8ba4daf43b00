import { Button, Stack } from '@mantine/core'
import { z } from 'zod'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { PasswordField } from '../ui/Form.tsx'
import { useScreenForm } from '../ui/screen-form.ts'

type ConfirmPasswordProps = {
  title: string
  description: string
  action: string
  isDangerous?: boolean
  hasPassword: boolean
  call: {
    isPending: boolean
    error: unknown
    mutate: (input: { password?: string }) => void
  }
  onClose: () => void
}

/** Asks for the password before a call about second factors. Users without one re-authenticate instead. */
export function ConfirmPassword({
  title,
  description,
  action,
  isDangerous,
  hasPassword,
  call,
  onClose,
}: ConfirmPasswordProps) {
  const { t } = useTranslation()
  const schema = z.object({ password: hasPassword ? z.string().min(1) : z.string() })
  const form = useScreenForm(schema, { defaultValues: { password: '' } })
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <form noValidate onSubmit={form.handleSubmit(({ password }) => call.mutate(hasPassword ? { password } : {}))}>
        <Stack gap="md">
          {hasPassword && (
            <PasswordField
              form={form}
              name="password"
              label={t('common.currentPassword')}
              autoComplete="current-password"
              data-autofocus
            />
          )}
          <ErrorMessage error={call.error} />
          <DialogActions onClose={onClose}>
            <Button type="submit" loading={call.isPending} {...(isDangerous && { color: 'danger' })}>
              {action}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
