import { Button, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { LoadingScreen } from '../ui/ScreenStates.tsx'
import { AppPicture } from './AppPicture.tsx'
import { Scopes } from './Scopes.tsx'

/** Asks the user for consent to an application's request. */
export function Consent() {
  const { t } = useTranslation()
  const { uid } = useParams({ from: '/consent/$uid' })
  const asked = trpc.oauth.consent.useQuery({ uid }, { retry: false })
  const decide = trpc.oauth.decideConsent.useMutation({ onSuccess: ({ url }) => location.assign(url) })
  const isBusy = decide.isPending || decide.isSuccess
  if (asked.isPending) return <LoadingScreen />
  if (asked.isError) {
    return (
      <AuthLayout title={t('consent.expiredTitle')}>
        <Stack gap="md">
          <ErrorMessage error={asked.error} />
          <ButtonLink to="/" variant="default" fullWidth>
            {t('common.toHome')}
          </ButtonLink>
        </Stack>
      </AuthLayout>
    )
  }
  const { app, email, ...scopes } = asked.data
  return (
    <AuthLayout
      title={t('consent.title', { app: app.name })}
      emblem={<AppPicture {...app} />}
      description={t('consent.description', { email })}
    >
      <Stack gap="md">
        <Scopes {...scopes} />
        <Text c="dimmed" fz="sm">
          {t('consent.note')}
        </Text>
        <ErrorMessage error={decide.error} />
        <Button
          fullWidth
          loading={isBusy && decide.variables?.isAllowed === true}
          disabled={isBusy}
          onClick={() => decide.mutate({ uid, isAllowed: true })}
        >
          {t('consent.allow')}
        </Button>
        <Button fullWidth variant="default" disabled={isBusy} onClick={() => decide.mutate({ uid, isAllowed: false })}>
          {t('consent.deny')}
        </Button>
      </Stack>
    </AuthLayout>
  )
}
