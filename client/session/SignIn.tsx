import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SignInEmail } from '../../shared/session.ts'
import { arrivalTarget } from '../account/arrival.ts'
import { refusalOf, trpc } from '../trpc.ts'
import { Door } from '../ui/Door.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { PasswordField, Refused, showAtField, useFieldMessage, useScreenForm } from '../ui/Form.tsx'
import { useGo } from '../ui/navigation.ts'

const fields = ['email', 'password'] as const

export function SignIn() {
  const { t } = useTranslation()
  const { email = '', next } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const go = useGo()
  const messageOf = useFieldMessage()
  const form = useScreenForm(SignInEmail, { defaultValues: { email, password: '', rememberMe: true } })
  const signIn = trpc.session.signInEmail.useMutation({
    onSuccess: ({ redirect, url }) => go(redirect && url !== null ? url : '/'),
    onError: (error, values) => {
      if (refusalOf(error) === 'EMAIL_NOT_VERIFIED') {
        void navigate({ to: '/check-mail', search: { email: values.email, reason: 'unproven' } })
      }
      showAtField(form, error, fields)
    },
  })
  const { errors } = form.formState
  const values = form.watch()

  return (
    <Door
      title={t('signIn.title')}
      below={
        <>
          {t('signIn.question')}{' '}
          <AnchorLink to="/sign-up" search={next === undefined ? {} : { next }}>
            {t('signIn.toSignUp')}
          </AnchorLink>
        </>
      }
    >
      <form
        noValidate
        onSubmit={form.handleSubmit((sent) =>
          signIn.mutate({ ...sent, callbackURL: arrivalTarget(sent.email, next ?? '/') }),
        )}
      >
        <Stack gap="md">
          <TextInput
            {...form.register('email')}
            label={t('field.email')}
            type="email"
            autoComplete="username"
            autoFocus={email === ''}
            error={messageOf(errors.email, values.email)}
          />
          <PasswordField
            {...form.register('password')}
            label={t('field.password')}
            autoComplete="current-password"
            autoFocus={email !== ''}
            error={messageOf(errors.password, values.password)}
          />
          <Group justify="space-between" gap="xs">
            <Checkbox {...form.register('rememberMe')} label={t('signIn.remember')} />
            <AnchorLink to="/forgot-password" search={values.email ? { email: values.email } : {}}>
              {t('forgot.link')}
            </AnchorLink>
          </Group>
          <Refused error={signIn.error} names={fields} />
          <Button type="submit" fullWidth loading={signIn.isPending || signIn.isSuccess}>
            {t('signIn.submit')}
          </Button>
        </Stack>
      </form>
    </Door>
  )
}
