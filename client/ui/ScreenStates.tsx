import { Button, Loader, Stack } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { forgetUser } from '../api/query-client.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { ButtonLink } from './links.tsx'
import { RequestId } from './RequestId.tsx'
import { useFailure } from './use-failure.ts'
import { useOnline } from './use-online.ts'

/** Error screen with a retry button. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const { reason, retry } = useFailure({ error, reset })
  useOnline(retry)
  return (
    <AuthLayout title={t('failure.title')} description={reason}>
      <Stack gap="sm">
        <Button onClick={retry} fullWidth>
          {t('common.tryAgain')}
        </Button>
        <ButtonLink to="/" variant="default" fullWidth reloadDocument>
          {t('common.toHome')}
        </ButtonLink>
        <RequestId error={error} />
      </Stack>
    </AuthLayout>
  )
}

export function NotFound() {
  const { t } = useTranslation()
  return (
    <AuthLayout title={t('notFound.title')} description={t('notFound.description')}>
      <ButtonLink to="/" fullWidth>
        {t('common.toHome')}
      </ButtonLink>
    </AuthLayout>
  )
}

/** Full-height loading indicator. */
export function LoadingScreen() {
  const { t } = useTranslation()
  return (
    <Stack component="output" align="center" justify="center" mih="100dvh" aria-label={t('common.loading')}>
      <Loader type="dots" />
    </Stack>
  )
}

/** The session has expired or was ended in another tab: re-runs the route guards, which redirect to sign-in. */
export function SessionEnded() {
  const router = useRouter()
  useEffect(() => {
    forgetUser()
    void router.invalidate()
  }, [router])
  return <LoadingScreen />
}
