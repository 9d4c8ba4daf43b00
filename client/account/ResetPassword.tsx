import { Button, Stack } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { z } from 'zod'
import { refusalOf } from '../api/call-errors.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { setFieldError } from '../ui/Form.tsx'
import { forgetLinkSecret, useLinkSecret } from '../ui/link-secret.ts'
import { ButtonLink } from '../ui/links.tsx'
import { useNext, withNext } from '../ui/next.ts'
import { useScreenForm } from '../ui/screen-form.ts'
import { NewPasswordField } from './NewPasswordField.tsx'
import { usePasswordRule } from './password-rule.ts'

const fields = ['password'] as const

/** Sets a new password with the emailed token. An invalid or expired link offers to request a new one. */
export function ResetPassword() {
  const { t } = useTranslation()
  const search = useSearch({ from: '/reset-password' })
  const token = useLinkSecret('reset', search.token)
  const next = useNext()
  const rule = usePasswordRule()
  const form = useScreenForm(z.object({ password: rule.schema }), { defaultValues: { password: '' } })
  const reset = trpc.account.resetPassword.useMutation({
    onSuccess: () => forgetLinkSecret('reset'),
    onError: (error) => setFieldError(form, error, fields),
  })

  if (reset.isSuccess) {
    return (
      <AuthLayout title={t('reset.doneTitle')} description={t('reset.done')}>
        <ButtonLink to="/sign-in" search={withNext(next)} fullWidth>
          {t('common.signIn')}
        </ButtonLink>
      </AuthLayout>
    )
  }
  if (token === undefined || refusalOf(reset.error) === 'RESET_INVALID_TOKEN') {
    return (
      <AuthLayout title={t('reset.invalidTitle')} description={t('reset.invalid')}>
        <ButtonLink to="/forgot-password" search={withNext(next)} fullWidth>
          {t('reset.request')}
        </ButtonLink>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={t('reset.title')} description={t('reset.description')}>
      <form noValidate onSubmit={form.handleSubmit((sent) => reset.mutate({ newPassword: sent.password, token }))}>
        <Stack gap="md">
          <NewPasswordField form={form} label={t('common.newPassword')} autoFocus />
          <ErrorMessage error={reset.error} names={fields} />
          <Button type="submit" fullWidth loading={reset.isPending}>
            {t('reset.submit')}
          </Button>
        </Stack>
      </form>
    </AuthLayout>
  )
}
