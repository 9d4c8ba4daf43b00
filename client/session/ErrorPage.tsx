import { Stack, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { isCallbackCode } from '../../shared/errors.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ButtonLink } from '../ui/links.tsx'

/** Explains why a social sign-in failed, with the next step and the error code for support. */
export function ErrorPage() {
  const { t } = useTranslation()
  const { error = 'Unknown', from } = useSearch({ from: '/error' })
  const descriptionOf = (code: string) => {
    if (code === 'interaction_expired') return t('refusal.INTERACTION_EXPIRED')
    if (code === 'impersonating') return t('refusal.NOT_WHILE_IMPERSONATING')
    return isCallbackCode(code) ? t(`callback.${code}`) : t('error.description')
  }
  return (
    <AuthLayout title={t('error.title')} description={descriptionOf(error)}>
      <Stack gap="lg">
        {from === 'link' ? (
          <ButtonLink to="/settings/security" fullWidth>
            {t('common.mySettings')}
          </ButtonLink>
        ) : (
          <ButtonLink to="/sign-in" fullWidth>
            {t('error.toSignIn')}
          </ButtonLink>
        )}
        <Text c="dimmed" fz="sm">
          {t('error.code')} <code className="code">{error}</code>
        </Text>
      </Stack>
    </AuthLayout>
  )
}
