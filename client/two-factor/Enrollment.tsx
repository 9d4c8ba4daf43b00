import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { renderSVG } from 'uqr'
import { z } from 'zod'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field } from '../ui/Form.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { ConfirmPassword } from './ConfirmPassword.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import classes from './Enrollment.module.css'

/**
 * Sets up an authenticator app in three steps: the password, the code to scan with a first code from the app, the
 * recovery codes.
 */
export function Enrollment({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [isConfirmed, setConfirmed] = useState(false)
  const enable = trpc.twoFactor.enable.useMutation()
  if (!enable.data) {
    return (
      <ConfirmPassword
        title={t('twoFactor.setUpTitle')}
        description={hasPassword ? t('twoFactor.passwordDescription') : t('twoFactor.startDescription')}
        action={t('common.continue')}
        call={enable}
        hasPassword={hasPassword}
        onClose={onClose}
      />
    )
  }
  const { totpURI, backupCodes } = enable.data
  if (isConfirmed) return <RecoveryCodes codes={backupCodes} onClose={onClose} />
  return <Scan uri={totpURI} onConfirmed={() => setConfirmed(true)} onClose={onClose} />
}

const Fields = z.object({ code: z.string().trim().min(1).max(64) })

function Scan({ uri, onConfirmed, onClose }: { uri: string; onConfirmed: () => void; onClose: () => void }) {
  const { t } = useTranslation()
  const form = useScreenForm(Fields, { defaultValues: { code: '' } })
  const verify = trpc.twoFactor.verifyTotp.useMutation({
    onSuccess: onConfirmed,
    onError: () => form.setFocus('code', { shouldSelect: true }),
  })
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  const [picture] = useState(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`)
  return (
    <Dialog title={t('twoFactor.scanTitle')} description={t('twoFactor.scanDescription')} onClose={onClose}>
      <form noValidate onSubmit={form.handleSubmit((sent) => verify.mutate(sent))}>
        <Stack gap="md">
          <img className={classes.code} src={picture} alt={t('twoFactor.qr')} width={200} height={200} />
          <details className={classes.key}>
            <summary>{t('twoFactor.cannotScan')}</summary>
            <Text fz="sm" mt="xs">
              {t('twoFactor.key')}
            </Text>
            <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
          </details>
          <Field
            form={form}
            name="code"
            label={t('twoFactor.code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            data-autofocus
          />
          <ErrorMessage error={verify.error} />
          <DialogActions onClose={onClose}>
            <Button type="submit" loading={verify.isPending}>
              {t('twoFactor.confirm')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
