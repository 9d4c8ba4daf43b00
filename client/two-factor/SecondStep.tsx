import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { refusalOf } from '../api/call-errors.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { useNavigateTo } from '../ui/navigation.ts'
import { useNext, withNext } from '../ui/next.ts'
import { useScreenForm } from '../ui/screen-form.ts'
import { CodeField } from './CodeField.tsx'
import { supportsPasskeys, usePasskey } from './use-passkey.ts'

const Fields = z.object({ code: z.string().trim().min(1).max(64), trustDevice: z.boolean() })

type SecondStepMethod = 'app' | 'recovery' | 'mail'

const texts = {
  app: { title: 'twoFactor.stepTitle', description: 'twoFactor.stepDescription' },
  recovery: { title: 'twoFactor.recoveryTitle', description: 'twoFactor.recoveryDescription' },
  mail: { title: 'twoFactor.mailTitle', description: 'twoFactor.mailDescription' },
} as const

/**
 * The second step of a sign-in: a code of the authenticator app, a recovery code, or an emailed code where that is
 * allowed.
 */
export function SecondStep() {
  const { t } = useTranslation()
  const next = useNext()
  const [method, setMethod] = useState<SecondStepMethod>('app')
  const [pending] = trpc.twoFactor.pending.useSuspenseQuery()
  const search = withNext(next)
  const again = (
    <AnchorLink to="/sign-in" search={search}>
      {t('twoFactor.again')}
    </AnchorLink>
  )
  if (!pending)
    return <AuthLayout title={t('twoFactor.endedTitle')} description={t('twoFactor.endedDescription')} footer={again} />
  return (
    <AuthLayout
      title={t(texts[method].title)}
      description={t(texts[method].description, { email: pending.email })}
      footer={again}
    >
      <CodeForm key={method} method={method} next={next} />
      {pending.hasPasskeys && supportsPasskeys() && <ByPasskey next={next} />}
      {pending.mayMail && method !== 'mail' && <ByMail onSent={() => setMethod('mail')} />}
      <Button
        variant="subtle"
        className="quiet-button"
        mt="sm"
        onClick={() => setMethod(method === 'app' ? 'recovery' : 'app')}
      >
        {method === 'app' ? t('twoFactor.useRecovery') : t('twoFactor.useApp')}
      </Button>
      <Text c="dimmed" fz="sm" mt="md">
        {t('twoFactor.lost')}
      </Text>
    </AuthLayout>
  )
}

type CodeFormProps = { method: SecondStepMethod; next: string | undefined }

function CodeForm({ method, next }: CodeFormProps) {
  const { t } = useTranslation()
  const go = useNavigateTo()
  const utils = trpc.useUtils()
  const form = useScreenForm(Fields, { defaultValues: { code: '', trustDevice: false } })
  const then = {
    onSuccess: () => go(next ?? '/'),
    onError: (error: unknown) => {
      form.setFocus('code', { shouldSelect: true })
      if (refusalOf(error) === 'INVALID_TWO_FACTOR_COOKIE') void utils.twoFactor.pending.invalidate()
    },
  }
  const byApp = trpc.twoFactor.verifyTotp.useMutation(then)
  const byRecoveryCode = trpc.twoFactor.verifyBackupCode.useMutation(then)
  const byMail = trpc.twoFactor.verifyOtp.useMutation(then)
  const verify = { app: byApp, recovery: byRecoveryCode, mail: byMail }[method]
  return (
    <form noValidate onSubmit={form.handleSubmit((sent) => verify.mutate(sent))}>
      <Stack gap="md">
        <CodeField form={form} name="code" isRecovery={method === 'recovery'} />
        {/* An emailed code is not a second factor, so it cannot trust the browser for a month. */}
        {method !== 'mail' && (
          <Checkbox
            {...form.register('trustDevice')}
            label={t('twoFactor.trust')}
            description={t('twoFactor.trustHint')}
          />
        )}
        <ErrorMessage error={verify.error} />
        <Button type="submit" fullWidth loading={verify.isPending || verify.isSuccess}>
          {t('common.signIn')}
        </Button>
      </Stack>
    </form>
  )
}

/** Emails a code, where the installation allows it. */
function ByMail({ onSent }: { onSent: () => void }) {
  const { t } = useTranslation()
  const send = trpc.twoFactor.sendOtp.useMutation({ onSuccess: onSent })
  return (
    <Stack gap="xs" mt="md">
      <Button variant="default" fullWidth loading={send.isPending} onClick={() => send.mutate({})}>
        {t('twoFactor.byMail')}
      </Button>
      <ErrorMessage error={send.error} />
    </Stack>
  )
}

function ByPasskey({ next }: { next: string | undefined }) {
  const { t } = useTranslation()
  const go = useNavigateTo()
  const passkey = usePasskey({ onSignedIn: () => go(next ?? '/') })
  return (
    <Stack gap="xs" mt="md">
      <Button variant="default" fullWidth loading={passkey.isPending} onClick={passkey.ask}>
        {t('passkeys.use')}
      </Button>
      <ErrorMessage error={passkey.error} />
    </Stack>
  )
}
