import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { trpc } from '../app/trpc.ts'
import { PasswordField, Refused, setFieldError, useScreenForm } from '../ui/Form.tsx'
import { Section } from '../ui/Section.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'
import { usePasswordRule } from './password-rule.ts'

const fields = ['currentPassword', 'password'] as const

/** Changes the password, or has a link mailed to set the first one. */
export function Password() {
  const { t } = useTranslation()
  const [accounts] = trpc.account.listAccounts.useSuspenseQuery()
  const hasPassword = accounts.some(({ provider }) => provider === 'credential')
  return (
    <Section title={t('field.password')} why={hasPassword ? t('password.why') : t('password.none')}>
      {hasPassword ? <ChangePassword /> : <SetFirstPassword />}
    </Section>
  )
}

function ChangePassword() {
  const { t } = useTranslation()
  const rule = usePasswordRule()
  const schema = z.object({
    currentPassword: z.string().min(1),
    password: rule.schema,
    revokeOtherSessions: z.boolean(),
  })
  const form = useScreenForm(schema, {
    defaultValues: { currentPassword: '', password: '', revokeOtherSessions: true },
  })
  const change = trpc.account.changePassword.useMutation({
    onSuccess: () => form.reset(),
    onError: (error) => setFieldError(form, error, fields),
  })
  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(({ password, ...sent }) => change.mutate({ ...sent, newPassword: password }))}
    >
      <Stack gap="md" maw={480}>
        <PasswordField
          form={form}
          name="currentPassword"
          label={t('password.current')}
          autoComplete="current-password"
        />
        <NewPasswordField form={form} label={t('password.next')} />
        <Checkbox {...form.register('revokeOtherSessions')} label={t('password.others')} />
        <Refused error={change.error} names={fields} />
        <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
          {t('password.submit')}
        </Button>
        <Text component="output" display="block" c="var(--good)">
          {change.isSuccess ? t('password.done') : ''}
        </Text>
      </Stack>
    </form>
  )
}

function SetFirstPassword() {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  const email = current?.user.email ?? ''
  const forget = trpc.account.forgetPassword.useMutation()
  return (
    <Stack gap="md" align="flex-start">
      <Refused error={forget.error} />
      <Button loading={forget.isPending} onClick={() => forget.mutate({ email, redirectTo: '/reset-password' })}>
        {t('forgot.submit')}
      </Button>
      <Text component="output" c="var(--good)">
        {forget.isSuccess ? t('forgot.sent', { email }) : ''}
      </Text>
    </Stack>
  )
}
