import { Button, Stack } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { SignUpEmail } from '../../shared/account.ts'
import { usernameProblem } from '../../shared/identity.ts'
import { suggestEmail } from '../../shared/webmail.ts'
import { refusalOf } from '../api/call-errors.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { CodeButton } from '../session/CodeButton.tsx'
import { Providers } from '../session/Providers.tsx'
import { verifiedTarget } from '../session/verified-target.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field, setFieldError } from '../ui/Form.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { useNavigateTo } from '../ui/navigation.ts'
import { useNext, withNext } from '../ui/next.ts'
import { useScreenForm } from '../ui/screen-form.ts'
import { NewPasswordField } from './NewPasswordField.tsx'
import { usePasswordRule } from './password-rule.ts'
import classes from './SignUp.module.css'

const fields = ['name', 'email', 'username', 'password'] as const
const Fields = SignUpEmail.pick({ name: true, email: true, password: true }).extend({
  /** Optional: an empty field means none. */
  username: z.string().superRefine((typed, ctx) => {
    const problem = typed === '' ? undefined : usernameProblem(typed)
    if (problem) ctx.addIssue({ code: 'custom', message: problem })
  }),
})

/** Signs up with a provider, a password or an emailed code: with those that this installation offers. */
export function SignUp() {
  const { t } = useTranslation()
  const { email = '' } = useSearch({ from: '/sign-up' })
  const next = useNext()
  const [options] = trpc.session.options.useSuspenseQuery()
  const [taken, setTaken] = useState<string>()

  return (
    <AuthLayout
      title={t('signUp.title')}
      footer={
        <>
          {t('signUp.question')}{' '}
          <AnchorLink to="/sign-in" search={{ ...(taken !== undefined && { email: taken }), ...withNext(next) }}>
            {t('signUp.toSignIn')}
          </AnchorLink>
        </>
      }
    >
      <Providers next={next ?? '/'} requestSignUp />
      {options.emailPassword && <PasswordForm email={email} next={next} onTaken={setTaken} />}
      {!options.emailPassword && options.emailCode === 'on' && <CodeButton email={email} next={next} />}
    </AuthLayout>
  )
}

type PasswordFormProps = { email: string; next: string | undefined; onTaken: (email: string | undefined) => void }

function PasswordForm({ email, next, onTaken }: PasswordFormProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const go = useNavigateTo()
  const rule = usePasswordRule()
  const schema = Fields.extend({ password: rule.schema })
  const form = useScreenForm(schema, { defaultValues: { name: '', email, username: '', password: '' } })
  const signUp = trpc.account.signUpEmail.useMutation({
    onMutate: () => onTaken(undefined),
    onSuccess: ({ token, user }) => {
      if (token === null) void navigate({ to: '/check-mail', search: { email: user.email, ...withNext(next) } })
      else go(next ?? '/')
    },
    onError: (error, sent) => {
      setFieldError(form, error, fields)
      if (refusalOf(error) === 'USER_ALREADY_EXISTS') onTaken(sent.email)
    },
  })
  const meant = suggestEmail(useWatch({ control: form.control, name: 'email' }))
  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(({ username, ...sent }) =>
        signUp.mutate({
          ...sent,
          ...(username !== '' && { username }),
          callbackURL: verifiedTarget(sent.email, next),
        }),
      )}
    >
      <Stack gap="md">
        <Field
          form={form}
          name="name"
          label={t('field.name')}
          description={t('common.nameHint')}
          autoComplete="name"
          autoFocus
        />
        <Field form={form} name="email" label={t('field.email')} type="email" autoComplete="email" />
        {meant !== undefined && (
          <p className={classes.hint}>
            {t('signUp.meant')}{' '}
            <button type="button" className={classes.meant} onClick={() => form.setValue('email', meant)}>
              {meant}
            </button>
          </p>
        )}
        <Field
          form={form}
          name="username"
          label={t('signUp.username')}
          description={t('settings.usernameHint')}
          autoComplete="off"
          autoCapitalize="none"
        />
        <NewPasswordField form={form} label={t('field.password')} />
        <ErrorMessage error={signUp.error} names={fields} />
        <Button type="submit" fullWidth loading={signUp.isPending || signUp.isSuccess}>
          {t('signUp.submit')}
        </Button>
      </Stack>
    </form>
  )
}
