import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { statusOf } from '../api/call-errors.ts'
import { useTranslation } from '../language/translation.ts'
import { Failed } from './Failed.tsx'
import { ButtonLink } from './links.tsx'
import { Page } from './Page.tsx'
import { useFailure } from './use-failure.ts'

// The states of the screens inside the app shell, which loads them.

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
