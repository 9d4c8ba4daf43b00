import type { Outputs } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useMoney } from '../payment/money.ts'
import { toneOfPayment, usePaymentStatus } from '../payment/payment-status.ts'
import { Tag } from '../ui/Tag.tsx'

/** The status of a payment, its dispute and its refunds. */
export function PaymentTags({ payment }: { payment: Outputs['admin']['payments']['payments'][number] }) {
  const { t } = useTranslation()
  const money = useMoney()
  const nameOf = usePaymentStatus()
  const { status, refunded, currency, isRefunding, isDisputed } = payment
  return (
    <>
      <Tag tone={toneOfPayment(status)}>{nameOf(status)}</Tag>{' '}
      {isDisputed && <Tag tone="attention">{t('admin.disputed')}</Tag>}{' '}
      {isRefunding && <Tag tone="attention">{t('admin.refundPending')}</Tag>}{' '}
      {refunded > 0 && <Tag>{t('billing.refunded', { amount: money(refunded, currency) })}</Tag>}
    </>
  )
}
