import { List, Text } from '@mantine/core'
import type { Outputs } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'

/** Lists what is deleted with the account. */
export function DeletionFacts({ preview }: { preview: Outputs['account']['previewDeletion'] }) {
  const { t } = useTranslation()
  return (
    <div>
      <Text fw={550}>{t('deletion.deleted')}</Text>
      <List mt={4}>
        <List.Item>{t('deletion.profile')}</List.Item>
        {preview.memberships > 0 && <List.Item>{t('deletion.memberships', { number: preview.memberships })}</List.Item>}
        {preview.deletedOrganizations.map(({ slug, name }) => (
          <List.Item key={slug}>{t('deletion.deletesOrganization', { name })}</List.Item>
        ))}
      </List>
    </div>
  )
}
