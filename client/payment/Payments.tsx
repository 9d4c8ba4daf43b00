import { Anchor, Badge, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { PagedList } from '../ui/PagedList.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { useDateFormat } from '../ui/moment.ts'
import type { BillingScope } from './billing-scope.ts'
import { useMoney } from './money.ts'
import { usePaymentStatus } from './payment-status.ts'

const pageSize = 25

/** Payments, newest first, each with its refunded amount. */
export function Payments({ scope, hasCheckout }: { scope: BillingScope; hasCheckout: boolean }) {
  const { t } = useTranslation()
  const money = useMoney()
  const nameOf = usePaymentStatus()
  const moment = useDateFormat()
  const list = trpc.payment.payments.useInfiniteQuery(
    { ...scope, limit: pageSize },
    { getNextPageParam: (page) => (page.length === pageSize ? page.at(-1)?.id : undefined) },
  )
  const payments = list.data?.pages.flat() ?? []
  return (
    <Section title={t('billing.payments')}>
      <PagedList list={list} isEmpty={payments.length === 0} empty={t('billing.noPayments')}>
        <Rows>
          {payments.map(({ id, amount, currency, status, createdAt, cardLastFour, refunded, refunds }) => {
            const isPaid = status === 'succeeded'
            return (
              <Row
                key={id}
                name={
                  <Group gap={8}>
                    <span className="numbers">{money(amount, currency)}</span>
                    <Badge variant="outline" color={isPaid ? 'var(--good)' : 'var(--quiet)'}>
                      {nameOf(status)}
                    </Badge>
                  </Group>
                }
                note={[
                  moment.day(createdAt),
                  cardLastFour !== null && t('billing.card', { digits: cardLastFour }),
                  refunded > 0 && t('billing.refunded', { amount: money(refunded, currency) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
                action={
                  hasCheckout &&
                  isPaid && (
                    <Group gap="sm">
                      <Anchor href={invoiceOf(id)}>{t('billing.invoice')}</Anchor>
                      {refunds
                        .filter((refund) => refund.status === 'succeeded')
                        .map((refund) => (
                          <Anchor key={refund.id} href={invoiceOf(id, refund.id)}>
                            {t('billing.refundReceipt')}
                          </Anchor>
                        ))}
                    </Group>
                  )
                }
              />
            )
          })}
        </Rows>
      </PagedList>
    </Section>
  )
}

/** The document of a payment, or of one of its refunds. */
function invoiceOf(paymentId: string, refundId?: string): string {
  return `/api/payments/invoice?${new URLSearchParams({ paymentId, ...(refundId !== undefined && { refundId }) })}`
}
