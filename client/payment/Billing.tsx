import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOrganization } from '../organization/current-organization.ts'
import { trpc } from '../app/trpc.ts'
import { Refused } from '../ui/Form.tsx'
import { Page } from '../ui/Page.tsx'
import { LicenseKeys } from './LicenseKeys.tsx'
import { SpendingChart } from './SpendingChart.tsx'
import { Payments } from './Payments.tsx'
import { Plans } from './Plans.tsx'
import { Products } from './Products.tsx'

/** Billing of the signed-in user. */
export function MyBilling() {
  return <Billing />
}

/** Billing of an organization, for members with the permission to manage it. */
export function OrganizationBilling() {
  const { organization } = useOrganization()
  return <Billing organizationId={organization.id} />
}

function Billing({ organizationId }: { organizationId?: string }) {
  const { t } = useTranslation()
  const [{ hasPayments, hasCheckout }] = trpc.session.options.useSuspenseQuery()
  const scope = organizationId === undefined ? {} : { organizationId }
  const [plans] = trpc.payment.subscriptions.useSuspenseQuery(scope)
  const [payments] = trpc.payment.payments.useSuspenseQuery(scope)
  const portal = trpc.payment.portal.useMutation({ onSuccess: ({ link }) => location.assign(link) })
  if (!hasPayments) {
    return (
      <Page title={t('menu.billing')}>
        <Text c="dimmed">{t('billing.off')}</Text>
      </Page>
    )
  }
  const isOnHold = plans.some(({ status }) => status === 'on_hold')
  const hasFailed = payments[0]?.status === 'failed'
  const banners = [
    isOnHold && t('billing.onHoldBanner'),
    hasFailed && !isOnHold && t('billing.failedBanner'),
    plans.some(({ status }) => status === 'paused') && t('billing.pausedBanner'),
  ].filter((text) => text !== false)
  return (
    <Page title={t('menu.billing')}>
      <Stack gap="sm" mb={banners.length > 0 ? 'xl' : 0}>
        {banners.map((text) => (
          <Alert key={text} className="refused" variant="outline" color="danger" role="alert">
            {text}
          </Alert>
        ))}
      </Stack>
      <Plans plans={plans} />
      {hasCheckout && (plans.length > 0 || payments.length > 0) && (
        <Group mt={-16} mb="xl" gap="sm">
          <Button variant="default" loading={portal.isPending || portal.isSuccess} onClick={() => portal.mutate(scope)}>
            {t('billing.portal')}
          </Button>
          <Refused error={portal.error} />
        </Group>
      )}
      {hasCheckout && <Products scope={scope} />}
      <Payments scope={scope} />
      <SpendingChart scope={scope} />
      <LicenseKeys scope={scope} />
    </Page>
  )
}
