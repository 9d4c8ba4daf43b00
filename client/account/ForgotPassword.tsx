import { Button, Stack, Text } from '@mantine/core'
import { Navigate, useSearch } from '@tanstack/react-router'
import { ForgetPassword } from '../../shared/account.ts'
import { withQuery } from '../../shared/redirect.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field } from '../ui/Form.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { useNext, withNext } from '../ui/next.ts'
import { useScreenForm } from '../ui/screen-form.ts'

export function ForgotPassword() {
  const { t } = useTranslation()
  const { email = '' } = useSearch({ from: '/forgot-password' })
  const next = useNext()
  const [options] = trpc.session.options.useSuspenseQuery()
  const form = useScreenForm(ForgetPassword, { defaultValues: { email } })
  const forget = trpc.account.forgetPassword.useMutation()
  if (!options.passwordReset) return <Navigate to="/sign-in" search={withNext(next)} replace />
  return (
    <AuthLayout
      title={t('forgot.title')}
      description={t('forgot.description')}
      footer={
        <AnchorLink to="/sign-in" search={withNext(next)}>
          {t('forgot.back')}
        </AnchorLink>
      }
    >
      <form
        noValidate
        onSubmit={form.handleSubmit((sent) =>
          forget.mutate({ ...sent, redirectTo: withQuery('/reset-password', withNext(next)) }),
        )}
      >
        <Stack gap="md">
          <Field form={form} name="email" label={t('field.email')} type="email" autoComplete="username" autoFocus />
          <ErrorMessage error={forget.error} />
          <Button type="submit" fullWidth loading={forget.isPending}>
            {t('forgot.submit')}
          </Button>
          <Text component="output" display="block" c="var(--good)">
            {forget.isSuccess ? t('forgot.sent', { email: forget.variables.email }) : ''}
          </Text>
          {forget.isSuccess && options.hasDevMailbox && (
            <Button component="a" href={`/dev/mail?to=${encodeURIComponent(forget.variables.email)}`} variant="default">
              {t('checkMail.mailbox')}
            </Button>
          )}
        </Stack>
      </form>
    </AuthLayout>
  )
}
