import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useMoney } from '../payment/money.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { Facts } from '../ui/Section.tsx'
import { toast } from '../ui/toast.tsx'

type Payment = Outputs['admin']['payments']['payments'][number]

/** Whether a payment can be refunded, as far as is known here. The server asks the provider. */
export const mayRefund = ({ status, refunded, isRefunding, isDisputed }: Payment) =>
  status === 'succeeded' && refunded === 0 && !isRefunding && !isDisputed

/** Asks before a payment is refunded in full. */
export function RefundPayment({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { t } = useTranslation()
  const money = useMoney()
  const dateFormat = useDateFormat()
  const refund = trpc.admin.refund.useMutation({
    onSuccess: () => {
      toast(t('admin.refundStarted'))
      onClose()
    },
  })
  return (
    <Confirm
      title={t('admin.refundTitle', { amount: money(payment.amount, payment.currency) })}
      description={`${t('admin.refundDescription')} ${t('admin.refundOnce')}`}
      details={
        <Facts
          facts={[
            [t('admin.customer'), payment.email ?? '—'],
            [t('common.date'), dateFormat.day(payment.createdAt)],
            [t('admin.payment'), <code key="id">{payment.id}</code>],
          ]}
        />
      }
      action={t('admin.refund')}
      isPending={refund.isPending}
      error={refund.error}
      onConfirm={() => refund.mutate({ paymentId: payment.id })}
      onClose={onClose}
    />
  )
}
