import { Button, Stack, TextInput } from '@mantine/core'
import { JoinByInvitation } from '../../shared/invitation.ts'
import { NewPasswordField } from '../account/NewPasswordField.tsx'
import { usePasswordRule } from '../account/password-rule.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { CodeButton } from '../session/CodeButton.tsx'
import { Providers } from '../session/Providers.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field, setFieldError } from '../ui/Form.tsx'
import { useNext, usePathWithNext } from '../ui/next.ts'
import { useScreenForm } from '../ui/screen-form.ts'

const fields = ['name', 'password'] as const

type InvitationSignUpProps = { id: string; secret: string; mailed: NonNullable<Outputs['invitation']['readByLink']> }

/** No account yet: signs up and joins in one step. */
export function InvitationSignUp({ id, secret, mailed }: InvitationSignUpProps) {
  const next = usePathWithNext(`/invitation/${id}`)
  const [options] = trpc.session.options.useSuspenseQuery()
  const { email } = mailed
  return (
    <Stack gap="md">
      <Providers next={next} requestSignUp loginHint={email} />
      {options.emailPassword && <PasswordForm id={id} secret={secret} email={email} />}
      {!options.emailPassword && options.emailCode === 'on' && <CodeButton email={email} next={next} />}
    </Stack>
  )
}

/** The email address is fixed, because the emailed link verifies it. */
function PasswordForm({ id, secret, email }: { id: string; secret: string; email: string }) {
  const { t } = useTranslation()
  const next = useNext()
  const rule = usePasswordRule()
  const schema = JoinByInvitation.pick({ name: true }).extend({ password: rule.schema })
  const form = useScreenForm(schema, { defaultValues: { name: '', password: '' } })
  const join = trpc.invitation.joinByLink.useMutation({
    onSuccess: ({ organizationSlug }) => location.assign(next ?? `/o/${organizationSlug}`),
    onError: (error) => setFieldError(form, error, fields),
  })
  return (
    <form noValidate onSubmit={form.handleSubmit((sent) => join.mutate({ ...sent, invitationId: id, secret }))}>
      <Stack gap="md">
        <TextInput
          label={t('field.email')}
          description={t('invitation.forEmail', { email })}
          value={email}
          readOnly
          autoComplete="username"
        />
        <Field
          form={form}
          name="name"
          label={t('field.name')}
          description={t('common.nameHint')}
          autoComplete="name"
          autoFocus
        />
        <NewPasswordField form={form} label={t('field.password')} />
        <ErrorMessage error={join.error} names={fields} />
        <Button type="submit" fullWidth loading={join.isPending || join.isSuccess}>
          {t('invitation.signUpSubmit')}
        </Button>
      </Stack>
    </form>
  )
}
