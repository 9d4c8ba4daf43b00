import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { Refused } from '../ui/Form.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { useDateFormat } from '../ui/moment.ts'
import type { BillingScope } from './billing-scope.ts'
import { useMoney } from './money.ts'

const pageSize = 25

/** Payments, newest first, each with its refunded amount. */
export function Payments({ scope }: { scope: BillingScope }) {
  const { t } = useTranslation()
  const money = useMoney()
  const moment = useDateFormat()
  const list = trpc.payment.payments.useInfiniteQuery(
    { ...scope, limit: pageSize },
    { getNextPageParam: (page) => (page.length === pageSize ? page.at(-1)?.id : undefined) },
  )
  const payments = list.data?.pages.flat() ?? []
  return (
    <Section title={t('billing.payments')}>
      {list.isSuccess && payments.length === 0 && <Text c="dimmed">{t('billing.noPayments')}</Text>}
      <Rows>
        {payments.map(({ id, amount, currency, status, createdAt, cardLastFour, refunded, invoiceUrl }) => {
          const isPaid = status === 'succeeded'
          const word = isPaid
            ? t('billing.paid')
            : status === 'failed'
              ? t('billing.failedPayment')
              : t(status === 'cancelled' ? 'billing.cancelledPayment' : 'billing.inProgress')
          return (
            <Row
              key={id}
              name={
                <Group gap={8}>
                  <span className="numbers">{money(amount, currency)}</span>
                  <Badge variant="outline" color={isPaid ? 'var(--good)' : 'var(--quiet)'}>
                    {word}
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
              action={invoiceUrl !== null && <Anchor href={invoiceUrl}>{t('billing.invoice')}</Anchor>}
            />
          )
        })}
      </Rows>
      <Refused error={list.error} />
      {list.hasNextPage && (
        <Button mt="sm" variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('members.more')}
        </Button>
      )}
    </Section>
  )
}
