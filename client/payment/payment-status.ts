import { useTranslation } from 'react-i18next'

/** Names the status of a payment. Those that are neither paid, failed nor canceled are still being processed. */
export function usePaymentStatus(): (status: string | null) => string {
  const { t } = useTranslation()
  return (status) => {
    if (status === 'succeeded') return t('billing.paid')
    if (status === 'failed') return t('billing.failedPayment')
    return t(status === 'cancelled' ? 'billing.cancelledPayment' : 'billing.inProgress')
  }
}
