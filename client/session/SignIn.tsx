import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { normalizeEmail } from '../../shared/identity.ts'
import { verifiedTarget } from '../account/verified-target.ts'
import { useNext, withNext } from '../app/next.ts'
import { refusalOf, trpc } from '../app/trpc.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { Field, PasswordField, Refused, setFieldError } from '../ui/Form.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { useNavigateTo } from '../ui/navigation.ts'
import { usePasskey } from '../two-factor/use-passkey.ts'
import { useFinishSignIn } from './finish-sign-in.ts'
import { Providers } from './Providers.tsx'

const fields = ['email', 'password'] as const
/** Longer email addresses are invalid (RFC 5321, 4.5.3.1.3). */
const maxEmail = 254

export function SignIn() {
  const { t } = useTranslation()
  const { email = '' } = useSearch({ from: '/sign-in' })
  const next = useNext()
  const [options] = trpc.session.options.useSuspenseQuery()
  const navigate = useNavigate()
  const go = useNavigateTo()
  const finish = useFinishSignIn(next)
  const form = useForm({ defaultValues: { email, password: '', rememberMe: true } })
  const askPasswordAgain = (error: unknown) => {
    const key = refusalOf(error)
    const isWrong = key === 'INVALID_EMAIL_OR_PASSWORD' || key === 'INVALID_USERNAME_OR_PASSWORD'
    if (isWrong) form.setFocus('password', { shouldSelect: true })
  }
  const byEmail = trpc.session.signInEmail.useMutation({
    onSuccess: finish,
    onError: (error, sent) => {
      if (refusalOf(error) === 'EMAIL_NOT_VERIFIED') {
        const email = normalizeEmail(sent.email)
        void navigate({ to: '/check-mail', search: { email, reason: 'unverified', ...withNext(next) } })
      }
      setFieldError(form, error, fields)
      askPasswordAgain(error)
    },
  })
  const byUsername = trpc.session.signInUsername.useMutation({
    onSuccess: finish,
    onError: (error) => {
      setFieldError(form, error, fields)
      askPasswordAgain(error)
    },
  })
  const typed = useWatch({ control: form.control, name: 'email' })
  // An email address contains an @; a username cannot.
  const signIn = typed.includes('@') ? byEmail : byUsername
  const submit = ({ email: given, ...sent }: { email: string; password: string; rememberMe: boolean }) => {
    if (!given.includes('@')) byUsername.mutate({ ...sent, username: given.trim() })
    else byEmail.mutate({ ...sent, email: given, callbackURL: verifiedTarget(given, next ?? '/') })
  }
  const passkey = usePasskey({ onSignedIn: () => go(next ?? '/'), isOffered: true })

  return (
    <AuthLayout
      title={t('signIn.title')}
      below={
        <>
          {t('signIn.question')}{' '}
          <AnchorLink to="/sign-up" search={withNext(next)}>
            {t('signIn.toSignUp')}
          </AnchorLink>
        </>
      }
    >
      <Providers next={next ?? '/'} loginHint={typed.includes('@') ? typed : ''} />
      <form noValidate onSubmit={form.handleSubmit(submit)}>
        <Stack gap="md">
          <Field
            form={form}
            name="email"
            isNeeded
            maxLength={maxEmail}
            label={t('field.emailOrUsername')}
            autoComplete="username webauthn"
            autoCapitalize="none"
            autoFocus={email === ''}
          />
          <PasswordField
            form={form}
            name="password"
            isNeeded
            label={t('field.password')}
            autoComplete="current-password"
            autoFocus={email !== ''}
          />
          <Group justify="space-between" gap="xs">
            <Checkbox {...form.register('rememberMe')} defaultChecked label={t('signIn.remember')} />
            <AnchorLink to="/forgot-password" search={{ ...(typed !== '' && { email: typed }), ...withNext(next) }}>
              {t('forgot.link')}
            </AnchorLink>
          </Group>
          <Refused error={signIn.error} names={fields} />
          <Button type="submit" fullWidth loading={signIn.isPending || signIn.isSuccess}>
            {t('signIn.submit')}
          </Button>
          <Refused error={passkey.error} />
          <Button variant="default" fullWidth loading={passkey.isPending} onClick={passkey.ask}>
            {t('passkeys.use')}
          </Button>
          {options.emailCode && (
            <Button
              variant="default"
              fullWidth
              onClick={() =>
                void navigate({
                  to: '/sign-in-code',
                  search: {
                    ...(typed.includes('@') && { email: typed }),
                    ...withNext(next),
                  },
                })
              }
            >
              {t('reauthenticate.byCode')}
            </Button>
          )}
        </Stack>
      </form>
    </AuthLayout>
  )
}
