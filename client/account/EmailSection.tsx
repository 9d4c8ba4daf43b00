import { Button, Group, Stack } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ChangeEmail } from '../../shared/account.ts'
import { withQuery } from '../../shared/redirect.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { verifiedTarget } from '../session/verified-target.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field, setFieldError } from '../ui/Form.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { Section, SettingRow } from '../ui/Section.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import classes from './EmailSection.module.css'

const fields = ['newEmail'] as const

/** The email address, whether it is verified, and how to change it. */
export function EmailSection() {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  const [options] = trpc.session.options.useSuspenseQuery()
  const { data: pending } = trpc.account.pendingEmail.useQuery()
  const [isOpen, setOpen] = useState(false)
  // The new address, after the link of its change was opened.
  const { email: opened } = useSearch({ from: '/shell/settings' })
  const email = current?.user.email ?? ''
  const isVerified = current?.user.emailVerified ?? false
  const resend = trpc.account.sendVerificationEmail.useMutation({
    onSuccess: () => toast(t('email.verifySent', { email })),
  })
  return (
    <Section title={t('email.title')} description={t('email.description')} isFlush>
      <SettingRow name={email} description={isVerified ? t('email.verifiedHint') : t('email.unverifiedHint')}>
        <Tag tone={isVerified ? 'good' : 'attention'}>{isVerified ? t('email.verified') : t('email.unverified')}</Tag>
        {!isVerified && options.verificationEmail && (
          <Button
            size="sm"
            variant="default"
            loading={resend.isPending}
            onClick={() => resend.mutate({ email, callbackURL: verifiedTarget(email) })}
          >
            {t('checkMail.resend')}
          </Button>
        )}
        {options.emailChange && (
          <Button size="sm" variant="default" onClick={() => setOpen(true)}>
            {t('email.submit')}
          </Button>
        )}
      </SettingRow>
      {pending && <PendingEmail pending={pending} email={email} />}
      <ErrorMessage error={resend.error} />
      {opened === email && (
        <output className="good-note">{t(isVerified ? 'email.changed' : 'email.verifySent', { email })}</output>
      )}
      {isOpen && <ChangeEmailDialog email={email} isVerified={isVerified} onClose={() => setOpen(false)} />}
    </Section>
  )
}

type PendingEmailProps = { pending: NonNullable<Outputs['account']['pendingEmail']>; email: string }

/** The requested address, until the link that was sent to the present one is opened. */
function PendingEmail({ pending, email }: PendingEmailProps) {
  const { t } = useTranslation()
  const resend = trpc.account.changeEmail.useMutation({ onSuccess: () => toast(t('checkMail.resent')) })
  const callbackURL = withQuery('/settings', { email: pending.email })
  return (
    <>
      <SettingRow name={pending.email} description={t('email.pendingHint', { email })}>
        <Tag tone="attention">{t('email.pending')}</Tag>
        <Button
          size="sm"
          variant="default"
          loading={resend.isPending}
          onClick={() => resend.mutate({ newEmail: pending.email, callbackURL })}
        >
          {t('checkMail.resend')}
        </Button>
      </SettingRow>
      <ErrorMessage error={resend.error} />
    </>
  )
}

type ChangeEmailDialogProps = { email: string; isVerified: boolean; onClose: () => void }

/** Changes the email address: in two steps, shown as a list, if it is verified; otherwise immediately. */
function ChangeEmailDialog({ email, isVerified, onClose }: ChangeEmailDialogProps) {
  const { t } = useTranslation()
  const form = useScreenForm(ChangeEmail, { defaultValues: { newEmail: '' } })
  const change = trpc.account.changeEmail.useMutation({
    onSuccess: (_, { newEmail }) => {
      if (isVerified) {
        // Sent again: the note below has not changed.
        if (change.isSuccess) toast(t('checkMail.resent'))
        return
      }
      toast(t('email.verifySent', { email: newEmail }))
      onClose()
    },
    onError: (error) => setFieldError(form, error, fields),
  })
  const send = ({ newEmail }: { newEmail: string }) =>
    change.mutate({ newEmail, callbackURL: withQuery('/settings', { email: newEmail }) })
  return (
    <Dialog title={t('email.submit')} onClose={onClose}>
      <form noValidate onSubmit={form.handleSubmit(send)}>
        <Stack gap="md">
          <Field
            form={form}
            name="newEmail"
            label={t('email.next')}
            type="email"
            autoComplete="email"
            data-autofocus
            readOnly={change.isSuccess}
          />
          {isVerified && (
            <ol className={classes.steps}>
              <li data-current={change.isSuccess}>{t('email.confirmStep', { email })}</li>
              <li>{t('email.verifyStep')}</li>
            </ol>
          )}
          <ErrorMessage error={change.error} names={fields} />
          {change.isSuccess && <output className="good-note">{t('email.confirmSent', { email })}</output>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {change.isSuccess ? t('common.close') : t('common.cancel')}
            </Button>
            <Button type="submit" variant={change.isSuccess ? 'default' : 'filled'} loading={change.isPending}>
              {change.isSuccess ? t('checkMail.resend') : t('email.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
