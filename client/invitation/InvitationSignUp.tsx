import { Button, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { JoinByInvitation } from '../../shared/invitation.ts'
import { usePasswordRule } from '../account/password-rule.ts'
import { Strength } from '../account/Strength.tsx'
import { Providers } from '../session/Providers.tsx'
import { trpc, type Outputs } from '../app/trpc.ts'
import { PasswordField, Refused, setFieldError, useFieldMessage, useScreenForm } from '../ui/Form.tsx'

const fields = ['name', 'password'] as const

type InvitationSignUpProps = { id: string; secret: string; mailed: NonNullable<Outputs['invitation']['read']> }

/** No account yet: signs up and joins in one step. The address is fixed, because the emailed link verifies it. */
export function InvitationSignUp({ id, secret, mailed }: InvitationSignUpProps) {
  const { t } = useTranslation()
  const messageOf = useFieldMessage()
  const rule = usePasswordRule()
  const { email } = mailed
  const schema = JoinByInvitation.pick({ name: true }).extend({ password: rule.schema })
  const form = useScreenForm(schema, { defaultValues: { name: '', password: '' } })
  const join = trpc.invitation.join.useMutation({
    onSuccess: ({ organizationSlug }) => location.assign(`/o/${organizationSlug}`),
    onError: (error) => setFieldError(form, error, fields),
  })
  const { errors } = form.formState
  const values = form.watch()
  return (
    <Stack gap="md">
      <Providers next={`/invitation/${id}`} requestSignUp loginHint={email} />
      <form noValidate onSubmit={form.handleSubmit((sent) => join.mutate({ ...sent, invitationId: id, secret }))}>
        <Stack gap="md">
          <TextInput
            label={t('field.email')}
            description={t('invitation.forAddress', { email })}
            value={email}
            readOnly
            autoComplete="username"
          />
          <TextInput
            {...form.register('name')}
            label={t('field.name')}
            description={t('signUp.nameHint')}
            autoComplete="name"
            autoFocus
            error={messageOf(errors.name, values.name)}
          />
          <PasswordField
            {...form.register('password')}
            label={t('field.password')}
            description={t('signUp.passwordHint', { min: rule.min })}
            autoComplete="new-password"
            error={messageOf(errors.password, values.password)}
          />
          <Strength password={values.password} />
          <Refused error={join.error} names={fields} />
          <Button type="submit" fullWidth loading={join.isPending || join.isSuccess}>
            {t('invitation.signUpLead')}
          </Button>
        </Stack>
      </form>
    </Stack>
  )
}
