import { Alert, List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Outputs, trpc } from '../app/trpc.ts'
import { ButtonLink } from '../ui/links.tsx'
import classes from './DeletionFacts.module.css'

/** Lists what is deleted with the account, and which organizations block the deletion. */
export function DeletionFacts({ preview }: { preview: Outputs['account']['previewDeletion'] }) {
  const { t } = useTranslation()
  const hasSubscriptions = preview.subscriptions.length > 0
  const { data: products } = trpc.payment.products.useQuery(undefined, { enabled: hasSubscriptions })
  const named = preview.subscriptions.map(({ productId, slug }) => {
    const product = products?.find((one) => one.id === productId)?.name ?? productId
    return { name: slug === null ? product : `${product} (${slug})`, slug }
  })
  // Several subscriptions to the same product are shown as one line.
  const obstacles = named.filter(({ name }, at) => named.findIndex((one) => one.name === name) === at)
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
      {preview.blocked.length + preview.subscriptions.length > 0 && (
        <Alert variant="outline" color="danger" role="alert">
          <ul className={classes.obstacles}>
            {preview.blocked.map(({ slug, name }) => (
              <li key={slug}>
                {t('deletion.blocked', { name })}
                <ButtonLink to="/o/$slug/settings" params={{ slug }} variant="default" size="sm">
                  {t('deletion.transfer')}
                </ButtonLink>
              </li>
            ))}
            {obstacles.map(({ name, slug }) => {
              return (
                <li key={name}>
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
                </li>
              )
            })}
          </ul>
        </Alert>
      )}
    </Stack>
  )
}
