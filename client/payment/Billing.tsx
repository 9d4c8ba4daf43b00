import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { managesBilling } from '../../shared/permissions.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useOrganization } from '../organization/current-organization.ts'
import { NoPermission } from '../organization/NoPermission.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { Empty } from '../ui/Empty.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Page } from '../ui/Page.tsx'
import { SectionBoundary } from '../ui/SectionBoundary.tsx'
import type { BillingScope, Subscription } from './billing-scope.ts'
import { LicenseKeys } from './LicenseKeys.tsx'
import { useProductName } from './payment-status.ts'
import { Payments } from './Payments.tsx'
import { Products } from './Products.tsx'
import { SpendingChart } from './SpendingChart.tsx'
import { SubscriptionCards } from './Subscriptions.tsx'
import classes from './Billing.module.css'

/** Billing of the signed-in user. */
export function MyBilling() {
  return <Billing />
}

/** Billing of an organization, for members with the permission to manage it. */
export function OrganizationBilling() {
  const { t } = useTranslation()
  const { organization } = useOrganization()
  if (managesBilling(organization.me.role)) return <Billing organizationId={organization.id} />
  return (
    <Page title={t('billing.title')}>
      <NoPermission />
    </Page>
  )
}

function Billing({ organizationId }: { organizationId?: string }) {
  const { t } = useTranslation()
  const [{ hasPayments, hasCheckout }] = trpc.session.options.useSuspenseQuery()
  const portal = usePortal()
  const scope = organizationId === undefined ? {} : { organizationId }
  const title = organizationId === undefined ? t('billing.mine') : t('billing.title')
  if (!hasPayments) {
    return (
      <Page title={title}>
        <Empty text={t('billing.off')} />
      </Page>
    )
  }
  return (
    <Page title={title} actions={hasCheckout && <Portals scope={scope} portal={portal} />}>
      {/* Not beside the buttons, which would move. */}
      {portal.error !== null && (
        <div className={classes.failed}>
          <ErrorMessage error={portal.error} />
        </div>
      )}
      <SectionBoundary title={t('billing.plans')}>
        <Subscriptions scope={scope} hasCheckout={hasCheckout} />
      </SectionBoundary>
      <SectionBoundary title={t('billing.byMonth')} isHiddenUntilLoaded>
        <SpendingChart scope={scope} />
      </SectionBoundary>
      <Payments scope={scope} hasCheckout={hasCheckout} />
      <SectionBoundary title={t('billing.keys')} isHiddenUntilLoaded>
        <LicenseKeys scope={scope} />
      </SectionBoundary>
    </Page>
  )
}

/** What needs an action, the subscriptions, and what can be bought. */
function Subscriptions({ scope, hasCheckout }: { scope: BillingScope; hasCheckout: boolean }) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const productName = useProductName()
  const nameOf = ({ productId, productName: stored }: Subscription) => productName(productId, stored)
  const [[subscriptions, payments]] = trpc.useSuspenseQueries((call) => [
    call.payment.subscriptions(scope),
    call.payment.payments(scope),
  ])
  const onHold = subscriptions.find(({ status }) => status === 'on_hold')
  const hasFailed = payments[0]?.status === 'failed'
  const pastDue = subscriptions.find(({ status, pastDueEndsAt }) => status === 'past_due' && pastDueEndsAt !== null)
  const paused = subscriptions.find(({ status }) => status === 'paused')
  return (
    <>
      {pastDue?.pastDueEndsAt != null && (
        <Banner
          text={t('billing.pastDueBanner', { plan: nameOf(pastDue), day: dateFormat.day(pastDue.pastDueEndsAt) })}
        >
          {hasCheckout && <PaymentMethodButton subscriptionId={pastDue.id} />}
        </Banner>
      )}
      {onHold && (
        <Banner text={t('billing.onHoldBanner', { plan: nameOf(onHold) })}>
          {hasCheckout && <PaymentMethodButton subscriptionId={onHold.id} />}
        </Banner>
      )}
      {hasFailed && !onHold && !pastDue && <Banner text={t('billing.failedBanner')} />}
      {paused && <Banner text={t('billing.pausedBanner', { plan: nameOf(paused) })} />}
      <SubscriptionCards subscriptions={subscriptions} payments={payments} hasCheckout={hasCheckout} />
      {hasCheckout && <Products scope={scope} subscriptions={subscriptions} />}
    </>
  )
}

function Banner({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={classes.banner} role="alert">
      <p>{text}</p>
      {children}
    </div>
  )
}

/** Opens the provider's page that replaces the payment method of one subscription. */
function PaymentMethodButton({ subscriptionId }: { subscriptionId: string }) {
  const { t } = useTranslation()
  const update = trpc.payment.updatePaymentMethod.useMutation({ onSuccess: ({ link }) => location.assign(link) })
  return (
    <>
      <Button
        variant="default"
        loading={update.isPending || update.isSuccess}
        onClick={() => update.mutate({ subscriptionId })}
      >
        {t('billing.updatePayment')}
      </Button>
      <ErrorMessage error={update.error} />
    </>
  )
}

type PortalsProps = { scope: BillingScope; portal: ReturnType<typeof usePortal> }

/** Opens a page of the provider, on which the customer manages payment methods and invoices. */
const usePortal = () => trpc.payment.portal.useMutation({ onSuccess: ({ link }) => location.assign(link) })

/** The buttons that open the provider's pages. Each of an owner's customers there has its own portal. */
function Portals({ scope, portal }: PortalsProps) {
  const { t } = useTranslation()
  const { data: customers = [] } = trpc.payment.customers.useQuery(scope)
  const isBusy = portal.isPending || portal.isSuccess
  if (customers.length < 2) {
    return (
      customers.length === 1 && (
        <Button variant="default" loading={isBusy} onClick={() => portal.mutate(scope)}>
          {t('billing.portal')}
        </Button>
      )
    )
  }
  return customers.map(({ id: customerId, email }, n) => (
    <Button
      key={customerId}
      variant="default"
      loading={isBusy && portal.variables?.customerId === customerId}
      onClick={() => portal.mutate({ ...scope, customerId })}
    >
      {t('billing.portalOf', { email })}
      {customers.slice(0, n).some((other) => other.email === email) && ` (${n + 1})`}
    </Button>
  ))
}
