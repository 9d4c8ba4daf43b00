import { Alert, List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Outputs } from '../app/trpc.ts'
import { ButtonLink } from '../ui/links.tsx'

/** Lists what is deleted with the account, and which organizations block the deletion. */
export function DeletionFacts({ preview }: { preview: Outputs['account']['previewDeletion'] }) {
  const { t } = useTranslation()
  return (
    <Stack gap="md">
      <div>
        <Text fw={550}>{t('deletion.deleted')}</Text>
        <List mt={4}>
          <List.Item>{t('deletion.profile')}</List.Item>
          {preview.memberships > 0 && (
            <List.Item>{t('deletion.memberships', { number: preview.memberships })}</List.Item>
          )}
          {preview.alone.map(({ slug, name }) => (
            <List.Item key={slug}>{t('deletion.alone', { name })}</List.Item>
          ))}
        </List>
      </div>
      {preview.blocked.map(({ slug, name }) => (
        <Alert key={slug} variant="outline" color="danger" role="alert">
          <Stack gap="xs" align="flex-start">
            {t('deletion.blocked', { name })}
            <ButtonLink to="/o/$slug/settings" params={{ slug }} variant="default" size="sm">
              {t('deletion.transfer')}
            </ButtonLink>
          </Stack>
        </Alert>
      ))}
    </Stack>
  )
}
