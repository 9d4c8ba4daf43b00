import { Button, Loader, Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from '../language/translation.ts'
import { statusOf } from '../api/call-errors.ts'
import { forgetUser } from '../api/query-client.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { Failed } from './Failed.tsx'
import { useOnline } from './use-online.ts'
import { useReason } from './Refused.tsx'
import { RequestId } from './RequestId.tsx'
import { Page } from './Page.tsx'
import { ButtonLink } from './links.tsx'

/** The reason of a failed screen, and a function to load it again. */
function useFailure({ error, reset }: Pick<ErrorComponentProps, 'error' | 'reset'>) {
  const router = useRouter()
  const reason = useReason()(error)
  // Otherwise a query that failed would fail again, without a request.
  const { reset: forgetErrors } = useQueryErrorResetBoundary()
  const again = () => {
    forgetErrors()
    reset()
    void router.invalidate()
  }
  return { reason, again }
}

/** Error screen with a retry button. */
export function Failure({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const { reason, again } = useFailure({ error, reset })
  useOnline(again)
  return (
    <AuthLayout title={t('failure.title')} lead={reason}>
      <Stack gap="sm">
        <Button onClick={again} fullWidth>
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

/**
 * Error screen inside the app shell; header and navigation stay mounted. Missing or forbidden pages are not retried.
 */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const { reason, again } = useFailure({ error, reset })
  const status = statusOf(error)
  if (status === 403) return <NoAccess reason={reason} />
  if (status === 404) return <PageNotFound />
  return (
    <Page title={t('failure.title')}>
      <Failed error={error} onTryAgain={again} />
      <ButtonLink to="/" variant="default">
        {t('common.toHome')}
      </ButtonLink>
    </Page>
  )
}

/** For users who may not open a screen. */
export function NoAccess({ reason }: { reason?: string }) {
  const { t } = useTranslation()
  return (
    <Page title={t('failure.noAccess')} lead={reason}>
      <ButtonLink to="/" variant="default">
        {t('common.toHome')}
      </ButtonLink>
    </Page>
  )
}

/** Error state for a part of a screen, below a heading that stays. */
export function CardsFailure({ error, reset }: ErrorComponentProps) {
  const { again } = useFailure({ error, reset })
  return <Failed error={error} onTryAgain={again} />
}

/** Skeletons of cards, below a heading that stays. */
export function CardsLoading() {
  const { t } = useTranslation()
  return (
    <Stack component="output" aria-label={t('common.loading')} gap="md" className="appears-late">
      <Skeleton height={140} radius="md" />
      <Skeleton height={140} radius="md" />
    </Stack>
  )
}

/** Skeleton shown while a screen inside the app shell loads. */
export function PageLoading() {
  const { t } = useTranslation()
  return (
    <Stack component="output" aria-label={t('common.loading')} gap="md" w="100%" maw={1080} className="appears-late">
      <VisuallyHidden component="h1">{t('common.loading')}</VisuallyHidden>
      <Skeleton height={34} width={220} radius="sm" />
      <Skeleton height={140} maw={860} radius="md" />
      <Skeleton height={140} maw={860} radius="md" />
    </Stack>
  )
}

/** An unknown URL inside the app shell. */
export function PageNotFound() {
  const { t } = useTranslation()
  return (
    <Page title={t('notFound.title')} lead={t('notFound.lead')}>
      <ButtonLink to="/" variant="default">
        {t('common.toHome')}
      </ButtonLink>
    </Page>
  )
}

export function NotFound() {
  const { t } = useTranslation()
  return (
    <AuthLayout title={t('notFound.title')} lead={t('notFound.lead')}>
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
