import { Button, Loader, Skeleton, Stack, Text } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { refusalOf } from '../app/trpc.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { Page } from './Page.tsx'
import { ButtonLink } from './links.tsx'

/** A screen that could not be shown, and the way to try again. */
export function Failure({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const key = refusalOf(error)
  const reason = key !== undefined ? t(`refusal.${key}`) : navigator.onLine ? t('failure.server') : t('failure.offline')
  const again = () => {
    reset()
    void router.invalidate()
  }
  return (
    <AuthLayout title={t('failure.title')} lead={reason}>
      <Button onClick={again} fullWidth>
        {t('common.tryAgain')}
      </Button>
    </AuthLayout>
  )
}

/** The same for a screen inside the shell: navigation and bar stay. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const key = refusalOf(error)
  const reason = key !== undefined ? t(`refusal.${key}`) : navigator.onLine ? t('failure.server') : t('failure.offline')
  const again = () => {
    reset()
    void router.invalidate()
  }
  return (
    <Page title={t('failure.title')}>
      <Stack align="flex-start">
        <Text>{reason}</Text>
        <Button onClick={again}>{t('common.tryAgain')}</Button>
      </Stack>
    </Page>
  )
}

/** While a screen inside the shell is on its way: the shape of a title and of rows. */
export function PageLoading() {
  const { t } = useTranslation()
  return (
    <Stack component="output" aria-label={t('common.loading')} gap="md">
      <Skeleton height={34} width={220} radius="sm" />
      <Skeleton height={140} radius="md" />
      <Skeleton height={140} radius="md" />
    </Stack>
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

/** While a screen is on its way; shown only when that takes a moment. */
export function Waiting() {
  const { t } = useTranslation()
  return (
    <Stack component="output" align="center" justify="center" mih="100dvh" aria-label={t('common.loading')}>
      <Loader type="dots" />
    </Stack>
  )
}

/** The session ended in another tab or by its time: the guards of the route lead to the sign-in, and back afterwards. */
export function SignedOutMeanwhile() {
  const router = useRouter()
  useEffect(() => void router.invalidate(), [router])
  return <Waiting />
}
