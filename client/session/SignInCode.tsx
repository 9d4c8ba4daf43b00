import { Button, Stack } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { z } from 'zod'
import { SignInMagicLink } from '../../shared/email-code.ts'
import { webmailUrlOf } from '../../shared/webmail.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field } from '../ui/Form.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { useNext, withNext } from '../ui/next.ts'
import { useScreenForm } from '../ui/screen-form.ts'
import { useFinishSignIn } from './finish-sign-in.ts'

const EmailFields = SignInMagicLink.pick({ email: true })

/** Signs in, or signs up, with an emailed link or the code in the same email. */
export function SignInCode() {
  const { t } = useTranslation()
  const { email = '' } = useSearch({ from: '/sign-in-code' })
  const next = useNext()
  const search = withNext(next)
  const form = useScreenForm(EmailFields, { defaultValues: { email } })
  const send = trpc.session.signInMagicLink.useMutation()
  const back = (
    <AnchorLink to="/sign-in" search={search}>
      {t('emailCode.back')}
    </AnchorLink>
  )
  if (send.isSuccess) {
    const { email: sentTo } = send.variables
    const again = () => send.mutate({ email: sentTo, callbackURL: next ?? '/' })
    return (
      <AuthLayout title={t('checkMail.title')} description={t('emailCode.sent', { email: sentTo })} footer={back}>
        <EnterCode email={sentTo} next={next} />
        <Button variant="subtle" className="quiet-button" mt="sm" loading={send.isPending} onClick={again}>
          {t('checkMail.resend')}
        </Button>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={t('emailCode.title')} description={t('emailCode.description')} footer={back}>
      <form noValidate onSubmit={form.handleSubmit((sent) => send.mutate({ ...sent, callbackURL: next ?? '/' }))}>
        <Stack gap="md">
          <Field form={form} name="email" label={t('field.email')} type="email" autoComplete="username" autoFocus />
          <ErrorMessage error={send.error} />
          <Button type="submit" fullWidth loading={send.isPending}>
            {t('reauthenticate.byCode')}
          </Button>
        </Stack>
      </form>
    </AuthLayout>
  )
}

const Code = z.object({ otp: z.string().trim().min(1).max(64) })

function EnterCode({ email, next }: { email: string; next: string | undefined }) {
  const { t } = useTranslation()
  const [options] = trpc.session.options.useSuspenseQuery()
  const form = useScreenForm(Code, { defaultValues: { otp: '' } })
  const mailbox = options.hasDevMailbox ? `/dev/mail?to=${encodeURIComponent(email)}` : webmailUrlOf(email)
  const signIn = trpc.session.signInEmailCode.useMutation({
    onSuccess: useFinishSignIn(next),
    onError: () => form.setFocus('otp', { shouldSelect: true }),
  })
  return (
    <form noValidate onSubmit={form.handleSubmit((sent) => signIn.mutate({ email, ...sent }))}>
      <Stack gap="md">
        {mailbox !== undefined && (
          <Button component="a" href={mailbox} target="_blank" rel="noreferrer" variant="default" fullWidth>
            {options.hasDevMailbox ? t('checkMail.mailbox') : t('checkMail.open')}
          </Button>
        )}
        <Field
          form={form}
          name="otp"
          label={t('reauthenticate.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
        />
        <ErrorMessage error={signIn.error} />
        <Button type="submit" fullWidth loading={signIn.isPending || signIn.isSuccess}>
          {t('common.signIn')}
        </Button>
      </Stack>
    </form>
  )
}
