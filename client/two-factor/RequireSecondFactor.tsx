import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ButtonLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'
import { ConfirmFactor, useOwnFactors } from './ConfirmFactor.tsx'

/**
 * Shown instead of screens that need a second factor: a link to set one up, or a form to confirm one that this session
 * has not used yet.
 */
export function RequireSecondFactor({ reason, onConfirmed }: { reason: string; onConfirmed: () => void }) {
  const { t } = useTranslation()
  trpc.passkey.list.useSuspenseQuery()
  trpc.twoFactor.status.useSuspenseQuery()
  const { hasPasskey, hasApp } = useOwnFactors()
  const mayConfirm = hasPasskey || hasApp
  return (
    <Page
      title={mayConfirm ? t('twoFactor.confirmTitle') : t('twoFactor.requiredTitle')}
      description={mayConfirm ? t('twoFactor.confirmDescription') : reason}
    >
      {mayConfirm ? (
        <ConfirmFactor onConfirmed={onConfirmed} />
      ) : (
        <ButtonLink to="/settings/security">{t('twoFactor.toSecurity')}</ButtonLink>
      )}
    </Page>
  )
}
