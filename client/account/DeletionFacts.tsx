import { Alert, List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Outputs, trpc } from '../app/trpc.ts'
import { ButtonLink } from '../ui/links.tsx'

/** Lists what is deleted with the account, and which organizations block the deletion. */
export function DeletionFacts({ preview }: { preview: Outputs['account']['previewDeletion'] }) {
  const { t } = useTranslation()
  const hasSubscriptions = preview.subscriptions.length > 0
  const { data: products } = trpc.payment.products.useQuery(undefined, { enabled: hasSubscriptions })
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
      {preview.subscriptions.map(({ id, productId, slug }) => {
        const name = products?.find((product) => product.id === productId)?.name ?? productId
        return (
          <Alert key={id} variant="outline" color="danger" role="alert">
            <Stack gap="xs" align="flex-start">
              {t('deletion.subscription', { name })}
              {slug === null ? (
                <ButtonLink to="/billing" variant="default" size="sm">
                  {t('deletion.toBilling')}
                </ButtonLink>
              ) : (
                <ButtonLink to="/o/$slug/billing" params={{ slug }} variant="default" size="sm">
                  {t('deletion.toBilling')}
                </ButtonLink>
              )}
            </Stack>
          </Alert>
        )
      })}
    </Stack>
  )
}
