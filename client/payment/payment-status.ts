import { paymentFilters } from '../../shared/payment-filter.ts'
import { subscriptionStatuses } from '../../shared/payment.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import type { Tone } from '../ui/Tag.tsx'

/** Names the status of a payment. Those that are neither paid, failed nor canceled are still being processed. */
export function usePaymentStatus(): (status: string | null) => string {
  const { t } = useTranslation()
  return (status) => {
    if (status === 'succeeded') return t('billing.paid')
    if (status === 'failed') return t('billing.failedPayment')
    return t(status === 'cancelled' ? 'billing.cancelledPayment' : 'billing.inProgress')
  }
}

/** The choices of a filter by the status of a payment. */
export function usePaymentChoices(): { value: string; label: string }[] {
  const { t } = useTranslation()
  const nameOf = usePaymentStatus()
  return [
    { value: '', label: t('billing.allPayments') },
    ...paymentFilters.map((name) => ({
      value: name,
      label: name === 'refunded' ? t('billing.refundedShort') : nameOf(name),
    })),
  ]
}

/** The color of a payment's status. */
export function toneOfPayment(status: string | null): Tone {
  if (status === 'succeeded') return 'good'
  if (status === 'failed') return 'bad'
  return status === 'cancelled' ? 'neutral' : 'attention'
}

/** Names the status of a subscription. An unknown status is shown as the provider calls it. */
export function useSubscriptionStatus(): (status: string | null) => string {
  const { t } = useTranslation()
  return (status) => {
    const known = subscriptionStatuses.find((name) => name === status)
    return known ? t(`billing.${known}`) : (status ?? '—')
  }
}

/** Names a product: by the provider's list, else by the name that was stored, else by its id. */
export function useProductName(): (productId: string, stored?: string | null) => string {
  const { data } = trpc.payment.products.useQuery(undefined, { retry: false, trpc: { context: { isSlow: true } } })
  return (productId, stored) => data?.find(({ id }) => id === productId)?.name ?? stored ?? productId
}

type SubscriptionState = { status: string | null; isEntitled: boolean; cancelAtNextBillingDate: boolean }

/** The color of a subscription's state. On hold needs an action; failed is final. */
export function toneOfSubscription({ status, isEntitled, cancelAtNextBillingDate }: SubscriptionState): Tone {
  if (status === 'on_hold' || status === 'past_due' || status === 'paused') return 'attention'
  if (status === 'failed') return 'bad'
  if (!isEntitled) return 'neutral'
  return cancelAtNextBillingDate ? 'attention' : 'good'
}
