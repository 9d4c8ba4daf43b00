import { Button, Stack, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { SendVerificationEmail } from '../../shared/account.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { verifiedTarget } from '../session/verified-target.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field } from '../ui/Form.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { useNext, withNext } from '../ui/next.ts'
import { useScreenForm } from '../ui/screen-form.ts'

/** Target of a verification link: signed in, signed out, or failed, with the next step for each case. */
export function Verified() {
  const { t } = useTranslation()
  const { email = '', error } = useSearch({ from: '/verified' })
  const next = withNext(useNext())
  const [session] = trpc.session.get.useSuspenseQuery()
  if (error === 'user_not_found') {
    return (
      <AuthLayout title={t('verified.deletedTitle')} description={t('verified.deleted')}>
        <ButtonLink to="/sign-up" search={next} fullWidth>
          {t('signIn.toSignUp')}
        </ButtonLink>
      </AuthLayout>
    )
  }
  if (error !== undefined) {
    const isExpired = error === 'token_expired'
    return (
      <AuthLayout
        title={t(isExpired ? 'verified.expiredTitle' : 'verified.invalidTitle')}
        description={t(isExpired ? 'verified.expired' : 'verified.invalid')}
      >
        <ResendLink email={email} />
      </AuthLayout>
    )
  }
  if (session) {
    return (
      <AuthLayout title={t('verified.title')} description={t('verified.signedIn')}>
        <ButtonLink to="/" fullWidth>
          {t('verified.continue')}
        </ButtonLink>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={t('verified.title')} description={t('verified.signedOut')}>
      <ButtonLink to="/sign-in" search={{ email, ...next }} fullWidth>
        {t('common.signIn')}
      </ButtonLink>
    </AuthLayout>
  )
}

function ResendLink({ email }: { email: string }) {
  const { t } = useTranslation()
  const next = useNext()
  const form = useScreenForm(SendVerificationEmail, { defaultValues: { email } })
  const send = trpc.account.sendVerificationEmail.useMutation()
  return (
    <form
      noValidate
      onSubmit={form.handleSubmit((sent) => send.mutate({ ...sent, callbackURL: verifiedTarget(sent.email, next) }))}
    >
      <Stack gap="md">
        <Field form={form} name="email" label={t('field.email')} type="email" autoComplete="email" />
        <ErrorMessage error={send.error} />
        <Button type="submit" fullWidth loading={send.isPending}>
          {t('verified.resend')}
        </Button>
        <Text component="output" display="block" c="var(--good)">
          {send.isSuccess ? t('verified.resent', { email: send.variables.email }) : ''}
        </Text>
      </Stack>
    </form>
  )
}
