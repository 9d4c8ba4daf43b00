import classes from './Address.module.css'
import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ChangeEmail } from '../../shared/account.ts'
import { trpc } from '../app/trpc.ts'
import { Field, Refused, setFieldError, useScreenForm } from '../ui/Form.tsx'
import { Section } from '../ui/Section.tsx'

const fields = ['newEmail'] as const

/** Changes the email address: in two steps, shown as a list, if it is verified; otherwise at once. */
export function Address() {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  const email = current?.user.email ?? ''
  const isVerified = current?.user.emailVerified ?? false
  const form = useScreenForm(ChangeEmail, { defaultValues: { newEmail: '' } })
  const change = trpc.account.changeEmail.useMutation({
    onSuccess: () => form.reset(),
    onError: (error) => setFieldError(form, error, fields),
  })
  const done = change.isSuccess
    ? isVerified
      ? t('email.confirmSent', { email })
      : t('email.verifySent', { email: change.variables.newEmail })
    : ''
  return (
    <Section title={t('email.title')} why={t('email.why')}>
      <form noValidate onSubmit={form.handleSubmit((sent) => change.mutate({ ...sent, callbackURL: '/settings' }))}>
        <Stack gap="md" maw={480}>
          <Text>
            <strong>{email}</strong>
          </Text>
          <Field form={form} name="newEmail" label={t('email.next')} type="email" autoComplete="email" />
          {isVerified && (
            <ol className={classes.steps}>
              <li data-current={change.isSuccess}>{t('email.confirmStep', { email })}</li>
              <li>{t('email.verifyStep')}</li>
            </ol>
          )}
          <Refused error={change.error} names={fields} />
          <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
            {t('email.submit')}
          </Button>
          <Text component="output" display="block" c="var(--good)">
            {done}
          </Text>
        </Stack>
      </form>
    </Section>
  )
}
