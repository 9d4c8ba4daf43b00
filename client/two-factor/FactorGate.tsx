import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { Refused } from '../ui/Form.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'
import { hasPasskeys, usePasskey } from './use-passkey.ts'

/**
 * What is shown instead of screens that need a second factor: where to set one up, or how to confirm one that this session has not
 * used yet.
 */
export function FactorGate({ why, onConfirmed }: { why: string; onConfirmed: () => void }) {
  const { t } = useTranslation()
  const [passkeys] = trpc.passkey.list.useSuspenseQuery()
  const passkey = usePasskey({ onSignedIn: onConfirmed })
  const mayConfirm = passkeys.length > 0 && hasPasskeys()
  return (
    <Page
      title={mayConfirm ? t('twoFactor.confirmTitle') : t('twoFactor.gateTitle')}
      lead={mayConfirm ? t('twoFactor.confirmLead') : why}
    >
      {mayConfirm ? (
        <Button loading={passkey.isPending} onClick={passkey.ask}>
          {t('passkeys.use')}
        </Button>
      ) : (
        <ButtonLink to="/settings/security">{t('twoFactor.toSecurity')}</ButtonLink>
      )}
      <Refused error={passkey.error} />
    </Page>
  )
}
