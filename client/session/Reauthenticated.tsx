import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { announceReauthenticated } from './reauthenticated.ts'

/** Callback page of the re-authentication popup: notifies the page that opened it, and closes the popup. */
export function Reauthenticated() {
  const { t } = useTranslation()
  const { for: name = '' } = useSearch({ from: '/reauthenticated' })
  useEffect(() => {
    announceReauthenticated(name)
    window.close()
  }, [name])
  // window.close() is ignored if no script opened this window; the link below leads back.
  return (
    <AuthLayout title={t('reauthenticate.done')} description={t('reauthenticate.doneDescription')}>
      <ButtonLink to="/settings" fullWidth>
        {t('common.mySettings')}
      </ButtonLink>
    </AuthLayout>
  )
}
