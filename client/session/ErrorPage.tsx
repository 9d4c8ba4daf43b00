import { Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Door } from '../ui/Door.tsx'
import { ButtonLink } from '../ui/links.tsx'

/** Why a sign-in elsewhere did not come to an end, with the code for whoever asks for help. */
export function ErrorPage() {
  const { t } = useTranslation()
  const { error } = useSearch({ from: '/error' })
  return (
    <Door title={t('error.title')} lead={t('error.lead')}>
      <Text mb="lg">
        {t('error.code')} <code className="code">{error ?? 'Unknown'}</code>
      </Text>
      <ButtonLink to="/sign-in" fullWidth>
        {t('error.toSignIn')}
      </ButtonLink>
    </Door>
  )
}
