import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { useTranslation } from '../language/translation.ts'
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
import { CodeButton } from './CodeButton.tsx'
import { Providers } from './Providers.tsx'

const fields = ['email', 'password'] as const
/** Longer email addresses are invalid (RFC 5321, 4.5.3.1.3). */
const maxEmail = 254

/** Signs in with a provider, a password, a passkey or an emailed code: with those that this installation offers. */
export function SignIn() {
  const { t } = useTranslation()
  const { email = '' } = useSearch({ from: '/sign-in' })
  const next = useNext()
  const [options] = trpc.session.options.useSuspenseQuery()
  const go = useNavigateTo()
  const form = useForm({ defaultValues: { email, password: '', rememberMe: true } })
  const typed = useWatch({ control: form.control, name: 'email' })
  const address = typed.includes('@') ? typed : ''
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
      <Providers next={next ?? '/'} loginHint={address} />
      <Stack gap="md">
        {options.emailPassword && <PasswordForm form={form} next={next} hasReset={options.passwordReset} />}
        <Refused error={passkey.error} />
        <Button variant="default" fullWidth loading={passkey.isPending} onClick={passkey.ask}>
          {t('passkeys.use')}
        </Button>
        {options.emailCode !== 'off' && <CodeButton email={address} next={next} />}
      </Stack>
    </AuthLayout>
  )
}

type SignInForm = UseFormReturn<{ email: string; password: string; rememberMe: boolean }>
type PasswordFormProps = { form: SignInForm; next: string | undefined; hasReset: boolean }

function PasswordForm({ form, next, hasReset }: PasswordFormProps) {
  const { t } = useTranslation()
  const { email: typed } = form.getValues()
  const { signIn, submit } = usePasswordSignIn(form, next)
  const [isPrefilled] = useState(typed !== '')
  return (
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
          autoFocus={!isPrefilled}
        />
        <PasswordField
          form={form}
          name="password"
          isNeeded
          label={t('field.password')}
          autoComplete="current-password"
          autoFocus={isPrefilled}
        />
        <Group justify="space-between" gap="xs">
          <Checkbox {...form.register('rememberMe')} defaultChecked label={t('signIn.remember')} />
          {hasReset && (
            <AnchorLink to="/forgot-password" search={{ ...(typed !== '' && { email: typed }), ...withNext(next) }}>
              {t('forgot.link')}
            </AnchorLink>
          )}
        </Group>
        <Refused error={signIn.error} names={fields} />
        <Button type="submit" fullWidth loading={signIn.isPending || signIn.isSuccess}>
          {t('signIn.submit')}
        </Button>
      </Stack>
    </form>
  )
}

/** Signs in with a password, and with what was typed before it: an email address contains an @, a username cannot. */
function usePasswordSignIn(form: SignInForm, next: string | undefined) {
  const navigate = useNavigate()
  const finish = useFinishSignIn(next)
  const onRefused = (error: unknown) => {
    setFieldError(form, error, fields)
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
      onRefused(error)
    },
  })
  const byUsername = trpc.session.signInUsername.useMutation({ onSuccess: finish, onError: onRefused })
  const typed = useWatch({ control: form.control, name: 'email' })
  const submit = ({ email, ...sent }: { email: string; password: string; rememberMe: boolean }) => {
    if (email.includes('@')) byEmail.mutate({ ...sent, email, callbackURL: verifiedTarget(email, next ?? '/') })
    else byUsername.mutate({ ...sent, username: email.trim() })
  }
  return { signIn: typed.includes('@') ? byEmail : byUsername, submit }
}
