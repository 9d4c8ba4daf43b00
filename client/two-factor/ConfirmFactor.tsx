import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { CodeField } from './CodeField.tsx'
import { supportsPasskeys, usePasskey } from './use-passkey.ts'

/** The second factors of the user that this browser can confirm. */
export function useOwnFactors(): { isLoading: boolean; hasPasskey: boolean; hasApp: boolean } {
  const passkeys = trpc.passkey.list.useQuery()
  const status = trpc.twoFactor.status.useQuery()
  return {
    isLoading: passkeys.isLoading || status.isLoading,
    hasPasskey: supportsPasskeys() && (passkeys.data?.length ?? 0) > 0,
    hasApp: status.data?.isEnabled ?? false,
  }
}

/** Confirms a second factor that this session has not used yet, with a passkey or a code. */
export function ConfirmFactor({ onConfirmed }: { onConfirmed: () => void }) {
  const { t } = useTranslation()
  const { hasPasskey, hasApp } = useOwnFactors()
  const [current] = trpc.session.get.useSuspenseQuery()
  const passkey = usePasskey({ onSignedIn: onConfirmed, ...(current && { userId: current.user.id }) })
  return (
    <Stack gap="md" align="flex-start">
      {hasApp && <ByCode onConfirmed={onConfirmed} />}
      {hasPasskey && (
        <Button variant={hasApp ? 'default' : 'filled'} loading={passkey.isPending} onClick={passkey.ask}>
          {t('passkeys.use')}
        </Button>
      )}
      <ErrorMessage error={passkey.error} />
    </Stack>
  )
}

const Fields = z.object({ code: z.string().trim().min(1).max(64) })

function ByCode({ onConfirmed }: { onConfirmed: () => void }) {
  const { t } = useTranslation()
  const [isRecovery, setRecovery] = useState(false)
  const form = useScreenForm(Fields, { defaultValues: { code: '' } })
  const then = { onSuccess: onConfirmed, onError: () => form.setFocus('code', { shouldSelect: true }) }
  const byApp = trpc.twoFactor.verifyTotp.useMutation(then)
  const byRecoveryCode = trpc.twoFactor.verifyBackupCode.useMutation(then)
  const verify = isRecovery ? byRecoveryCode : byApp
  const change = () => {
    form.reset()
    verify.reset()
    setRecovery(!isRecovery)
  }
  return (
    <form noValidate onSubmit={form.handleSubmit((sent) => verify.mutate({ ...sent, inSession: true }))}>
      <Stack gap="md" align="flex-start">
        <CodeField key={isRecovery ? 'recovery' : 'app'} form={form} name="code" isRecovery={isRecovery} />
        <ErrorMessage error={verify.error} />
        <Button type="submit" loading={verify.isPending || verify.isSuccess}>
          {t('twoFactor.confirm')}
        </Button>
        <Button variant="subtle" className="quiet-button" onClick={change}>
          {isRecovery ? t('twoFactor.useApp') : t('twoFactor.useRecovery')}
        </Button>
      </Stack>
    </form>
  )
}
