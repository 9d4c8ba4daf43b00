import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useNext } from '../app/next.ts'
import { refusalOf, trpc } from '../app/trpc.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { Field, Refused, useScreenForm } from '../ui/Form.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { useNavigateTo } from '../ui/navigation.ts'
import { hasPasskeys, usePasskey } from './use-passkey.ts'

const Fields = z.object({ code: z.string().trim().min(1).max(64), trustDevice: z.boolean() })

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function SecondStep() {
  const { t } = useTranslation()
  const next = useNext()
  const [isRecovering, setRecovering] = useState(false)
  const [pending] = trpc.twoFactor.pending.useSuspenseQuery()
  const search = next === undefined ? {} : { next }
  const again = (
    <AnchorLink to="/sign-in" search={search}>
      {t('twoFactor.again')}
    </AnchorLink>
  )
  if (!pending) return <AuthLayout title={t('twoFactor.endedTitle')} lead={t('twoFactor.endedLead')} below={again} />
  return (
    <AuthLayout
      title={isRecovering ? t('twoFactor.recoveryTitle') : t('twoFactor.stepTitle')}
      lead={isRecovering ? t('twoFactor.recoveryLead') : t('twoFactor.stepLead', { email: pending.email })}
      below={again}
    >
      <CodeForm key={String(isRecovering)} isRecovering={isRecovering} next={next} />
      {pending.hasPasskeys && hasPasskeys() && <ByPasskey next={next} />}
      <Button variant="subtle" className="quiet-button" mt="sm" onClick={() => setRecovering(!isRecovering)}>
        {isRecovering ? t('twoFactor.useApp') : t('twoFactor.useRecovery')}
      </Button>
      <Text c="dimmed" fz="sm" mt="md">
        {t('twoFactor.lost')}
      </Text>
    </AuthLayout>
  )
}

type CodeFormProps = { isRecovering: boolean; next: string | undefined }

function CodeForm({ isRecovering, next }: CodeFormProps) {
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
  const verify = isRecovering ? byRecoveryCode : byApp
  return (
    <form noValidate onSubmit={form.handleSubmit((sent) => verify.mutate(sent))}>
      <Stack gap="md">
        {isRecovering ? (
          <Field
            form={form}
            name="code"
            label={t('twoFactor.recoveryCode')}
            placeholder="abcde-fghij"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
          />
        ) : (
          <Field
            form={form}
            name="code"
            label={t('twoFactor.code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
          />
        )}
        <Checkbox
          {...form.register('trustDevice')}
          label={t('twoFactor.trust')}
          description={t('twoFactor.trustHint')}
        />
        <Refused error={verify.error} />
        <Button type="submit" fullWidth loading={verify.isPending || verify.isSuccess}>
          {t('signIn.submit')}
        </Button>
      </Stack>
    </form>
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
      <Refused error={passkey.error} />
    </Stack>
  )
}
