import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Providers } from '../session/Providers.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { PasswordField } from '../ui/Form.tsx'
import { AnchorLink, ButtonLink } from '../ui/links.tsx'
import { useNext, usePathWithNext } from '../ui/next.ts'
import { useScreenForm } from '../ui/screen-form.ts'

const Fields = z.object({ password: z.string().min(1) })

type ExistingAccountProps = { id: string; secret: string; mailed: NonNullable<Outputs['invitation']['readByLink']> }

/** The email address has an account: signing in accepts the invitation in one step. */
export function ExistingAccount({ id, secret, mailed }: ExistingAccountProps) {
  const { t } = useTranslation()
  const { email } = mailed
  const [options] = trpc.session.options.useSuspenseQuery()
  // After signing in, the invitation page accepts without the secret, since the email address is verified.
  const next = usePathWithNext(`/invitation/${id}`)
  return (
    <Stack gap="md">
      <Text>{t('invitation.signInAs', { email })}</Text>
      <Providers next={next} loginHint={email} />
      {options.emailPassword && <PasswordForm id={id} secret={secret} mailed={mailed} next={next} />}
      {!options.emailPassword && (
        <ButtonLink to="/sign-in" search={{ email, next }} fullWidth>
          {t('common.signIn')}
        </ButtonLink>
      )}
    </Stack>
  )
}

function PasswordForm({ id, secret, mailed, next }: ExistingAccountProps & { next: string }) {
  const { t } = useTranslation()
  const wanted = useNext()
  const navigate = useNavigate()
  const { email, organizationSlug } = mailed
  const [options] = trpc.session.options.useSuspenseQuery()
  const form = useScreenForm(Fields, { defaultValues: { password: '' } })
  const { client } = trpc.useUtils()
  // One mutation: refreshing the session between the two calls would unmount this form.
  const join = useMutation({
    mutationFn: async ({ password }: z.output<typeof Fields>) => {
      const answer = await client.session.signInEmail.mutate({ email, password })
      // The second step leads back to the invitation page, which accepts the invitation.
      if ('twoFactorRedirect' in answer) return '/two-factor'
      await client.invitation.accept.mutate({ invitationId: id, secret })
      return undefined
    },
    onSuccess: (step) => {
      if (step === undefined) location.assign(wanted ?? `/o/${organizationSlug}`)
      else void navigate({ to: step, search: { next } })
    },
  })
  return (
    <form noValidate onSubmit={form.handleSubmit((sent) => join.mutate(sent))}>
      <Stack gap="md">
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <PasswordField
          form={form}
          name="password"
          label={t('field.password')}
          autoComplete="current-password"
          autoFocus
        />
        {options.passwordReset && (
          <AnchorLink to="/forgot-password" search={{ email, next }}>
            {t('signIn.forgotPassword')}
          </AnchorLink>
        )}
        <ErrorMessage error={join.error} />
        <Button type="submit" fullWidth loading={join.isPending || join.isSuccess}>
          {t('invitation.accept')}
        </Button>
      </Stack>
    </form>
  )
}
