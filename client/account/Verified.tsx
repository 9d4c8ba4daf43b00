import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SendVerificationEmail } from '../../shared/account.ts'
import { trpc } from '../trpc.ts'
import { Door } from '../ui/Door.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Refused, useFieldMessage, useScreenForm } from '../ui/Form.tsx'
import { arrivalTarget } from './arrival.ts'

/** Where a mailed proof leads: done here, done elsewhere, or not done, with the next step for each. */
export function Verified() {
  const { t } = useTranslation()
  const { email = '', error } = useSearch({ from: '/verified' })
  const [session] = trpc.session.get.useSuspenseQuery()
  if (error === 'user_not_found') {
    return (
      <Door title={t('verified.goneTitle')} lead={t('verified.gone')}>
        <ButtonLink to="/sign-up" fullWidth>
          {t('signIn.toSignUp')}
        </ButtonLink>
      </Door>
    )
  }
  if (error !== undefined) {
    const isExpired = error === 'token_expired'
    return (
      <Door
        title={t(isExpired ? 'verified.expiredTitle' : 'verified.invalidTitle')}
        lead={t(isExpired ? 'verified.expired' : 'verified.invalid')}
      >
        <AnotherLink email={email} />
      </Door>
    )
  }
  if (session) {
    return (
      <Door title={t('verified.title')} lead={t('verified.here')}>
        <ButtonLink to="/" fullWidth>
          {t('verified.goOn')}
        </ButtonLink>
      </Door>
    )
  }
  return (
    <Door title={t('verified.title')} lead={t('verified.elsewhere')}>
      <ButtonLink to="/sign-in" search={{ email }} fullWidth>
        {t('signIn.submit')}
      </ButtonLink>
    </Door>
  )
}

function AnotherLink({ email }: { email: string }) {
  const { t } = useTranslation()
  const messageOf = useFieldMessage()
  const form = useScreenForm(SendVerificationEmail, { defaultValues: { email } })
  const send = trpc.account.sendVerificationEmail.useMutation()
  const typed = form.watch('email')
  return (
    <form
      noValidate
      onSubmit={form.handleSubmit((sent) => send.mutate({ ...sent, callbackURL: arrivalTarget(sent.email) }))}
    >
      <Stack gap="md">
        <TextInput
          {...form.register('email')}
          label={t('field.email')}
          type="email"
          autoComplete="email"
          error={messageOf(form.formState.errors.email, typed)}
        />
        <Refused error={send.error} />
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
