import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ChangeEvent, type SyntheticEvent, useRef, useState } from 'react'
import { normalizeEmail } from '../../shared/identity.ts'
import { refusalOf } from '../api/call-errors.ts'
import { trpc } from '../api/trpc.ts'
import { type TextKey, useTranslation } from '../language/translation.ts'
import { usePasskey } from '../two-factor/use-passkey.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ErrorMessage, refusedField } from '../ui/ErrorMessage.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { useNavigateTo } from '../ui/navigation.ts'
import { useNext, withNext } from '../ui/next.ts'
import { PasswordControl } from '../ui/PasswordControl.tsx'
import { CodeButton } from './CodeButton.tsx'
import { useFinishSignIn } from './finish-sign-in.ts'
import { Providers } from './Providers.tsx'
import { verifiedTarget } from './verified-target.ts'

const fields = ['email', 'password'] as const
/** Longer email addresses are invalid (RFC 5321, 4.5.3.1.3). */
const maxEmail = 254

/** Signs in with a provider, a password, a passkey or an emailed code: with those that this installation offers. */
export function SignIn() {
  const { t } = useTranslation()
  const { email: initialEmail = '' } = useSearch({ from: '/sign-in' })
  const next = useNext()
  const [options] = trpc.session.options.useSuspenseQuery()
  const go = useNavigateTo()
  const [typed, setTyped] = useState(initialEmail)
  const email = typed.includes('@') ? typed : ''
  const passkey = usePasskey({ onSignedIn: () => go(next ?? '/'), isOffered: true })

  return (
    <AuthLayout
      title={t('signIn.title')}
      footer={
        <>
          {t('signIn.question')}{' '}
          <AnchorLink to="/sign-up" search={withNext(next)}>
            {t('signIn.toSignUp')}
          </AnchorLink>
        </>
      }
    >
      <Providers next={next ?? '/'} loginHint={email} />
      <Stack gap="md">
        {options.emailPassword && (
          <PasswordForm email={typed} onEmail={setTyped} next={next} hasReset={options.passwordReset} />
        )}
        <ErrorMessage error={passkey.error} />
        <Button variant="default" fullWidth loading={passkey.isPending} onClick={passkey.ask}>
          {t('passkeys.use')}
        </Button>
        {options.emailCode !== 'off' && <CodeButton email={email} next={next} />}
      </Stack>
    </AuthLayout>
  )
}

type PasswordFormProps = {
  email: string
  onEmail: (email: string) => void
  next: string | undefined
  hasReset: boolean
}

/** Not a form of react-hook-form, which would be a tenth of the first visit's scripts. */
function PasswordForm({ email, onEmail, next, hasReset }: PasswordFormProps) {
  const { t } = useTranslation()
  const { form, signIn, messages, submit, forgetMessage } = usePasswordSignIn(next)
  const [isPrefilled] = useState(email !== '')
  return (
    <form ref={form} noValidate onSubmit={submit} onChange={forgetMessage}>
      <Stack gap="md">
        <TextInput
          name="email"
          defaultValue={email}
          onChange={(event) => onEmail(event.target.value)}
          error={messages.email && t(messages.email)}
          maxLength={maxEmail}
          label={t('field.emailOrUsername')}
          autoComplete="username webauthn"
          autoCapitalize="none"
          autoFocus={!isPrefilled}
        />
        <PasswordControl
          name="password"
          error={messages.password && t(messages.password)}
          label={t('field.password')}
          autoComplete="current-password"
          autoFocus={isPrefilled}
        />
        <Group justify="space-between" gap="xs">
          <Checkbox name="rememberMe" defaultChecked label={t('signIn.remember')} />
          {hasReset && (
            <AnchorLink to="/forgot-password" search={{ ...(email !== '' && { email }), ...withNext(next) }}>
              {t('signIn.forgotPassword')}
            </AnchorLink>
          )}
        </Group>
        <ErrorMessage error={signIn.error} names={fields} />
        <Button type="submit" fullWidth loading={signIn.isPending || signIn.isSuccess}>
          {t('common.signIn')}
        </Button>
      </Stack>
    </form>
  )
}

type Field = (typeof fields)[number]
type Messages = Partial<Record<string, TextKey>>

/** Signs in with a password, and with what was typed before it: an email address contains an @, a username cannot. */
function usePasswordSignIn(next: string | undefined) {
  const form = useRef<HTMLFormElement>(null)
  const [messages, setMessages] = useState<Messages>({})
  const [isByEmail, setByEmail] = useState(true)
  const navigate = useNavigate()
  const finish = useFinishSignIn(next)
  const inputOf = (name: Field) => form.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`)
  const onRefused = (error: unknown) => {
    const key = refusalOf(error)
    const field = refusedField(error, fields)
    if (field !== undefined && key !== undefined) {
      setMessages({ [field]: `refusal.${key}` })
      inputOf(field)?.focus()
    }
    const isWrong = key === 'INVALID_EMAIL_OR_PASSWORD' || key === 'INVALID_USERNAME_OR_PASSWORD'
    if (isWrong) inputOf('password')?.select()
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
  const signIn = isByEmail ? byEmail : byUsername

  // The values are read from the inputs, because a password manager may have filled them in without an event.
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const values = new FormData(event.currentTarget)
    const textOf = (name: Field) => String(values.get(name))
    const empty = fields.filter((name) => textOf(name) === '')
    setMessages(Object.fromEntries(empty.map((name) => [name, 'field.required'])))
    signIn.reset()
    if (empty[0] !== undefined) return inputOf(empty[0])?.focus()
    const [typed, password] = [textOf('email'), textOf('password')]
    const sent = { password, rememberMe: values.has('rememberMe') }
    setByEmail(typed.includes('@'))
    if (typed.includes('@')) byEmail.mutate({ ...sent, email: typed, callbackURL: verifiedTarget(typed, next ?? '/') })
    else byUsername.mutate({ ...sent, username: typed.trim() })
  }

  const forgetMessage = ({ target }: ChangeEvent<HTMLFormElement>) =>
    setMessages((shown) => ({ ...shown, [target.name]: undefined }))
  return { form, signIn, messages, submit, forgetMessage }
}
