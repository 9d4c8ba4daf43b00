import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { announceReauthenticated } from './reauthenticated.ts'

/** Where a provider sends the window back to that was opened to re-authenticate: it notifies the page behind it and closes. */
export function Reauthenticated() {
  const { t } = useTranslation()
  useEffect(() => {
    announceReauthenticated()
    window.close()
  }, [])
  // A window that the page did not open itself stays: then the way back is here.
  return (
    <AuthLayout title={t('verified.title')} lead={t('verified.signedIn')}>
      <ButtonLink to="/settings" fullWidth>
        {t('menu.mySettings')}
      </ButtonLink>
    </AuthLayout>
  )
}
