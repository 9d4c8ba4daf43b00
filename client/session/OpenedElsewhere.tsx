import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ErrorCard } from '../ui/ErrorCard.tsx'
import { useLinkSecret } from '../ui/link-secret.ts'
import { AnchorLink } from '../ui/links.tsx'
import { LoadingScreen } from '../ui/ScreenStates.tsx'

/** A sign-in link that was opened in another browser than the one that requested it: shows the code to enter there. */
export function OpenedElsewhere() {
  const { t } = useTranslation()
  const { token: sent } = useSearch({ from: '/magic-link' })
  const token = useLinkSecret('magic-link', sent) ?? ''
  const { client } = trpc.useUtils()
  const link = useQuery({
    queryKey: ['magic link', token],
    queryFn: () => client.session.readMagicLink.mutate({ token }),
    retry: false,
  })
  const footer = (
    <AnchorLink to="/sign-in-code" search={{}}>
      {t('emailCode.newLink')}
    </AnchorLink>
  )
  if (link.isPending) return <LoadingScreen />
  if (link.isError)
    return (
      <AuthLayout title={t('failure.title')} footer={footer}>
        <ErrorCard error={link.error} onTryAgain={() => void link.refetch()} />
      </AuthLayout>
    )
  const found = link.data
  if (!found)
    return (
      <AuthLayout title={t('emailCode.endedTitle')} description={t('emailCode.endedDescription')} footer={footer} />
    )
  return (
    <AuthLayout
      title={t('emailCode.elsewhereTitle')}
      description={t('emailCode.elsewhereDescription', { email: found.email })}
      footer={footer}
    >
      <Text component="p" fz={32}>
        <code>{found.code}</code>
      </Text>
      <Text c="dimmed" fz="sm" mt="sm">
        {t('emailCode.warning')}
      </Text>
    </AuthLayout>
  )
}
