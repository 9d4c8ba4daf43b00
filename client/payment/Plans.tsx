import { Badge, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { subscriptionStatuses } from '../../shared/payment.ts'
import { trpc, type Outputs } from '../app/trpc.ts'
import { useDateFormat } from '../ui/moment.ts'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { useMoney } from './money.ts'

/** Subscriptions, each with its price and next billing date or end date. */
export function Plans({ plans }: { plans: Outputs['payment']['subscriptions'] }) {
  const { t } = useTranslation()
  const money = useMoney()
  const moment = useDateFormat()
  const products = trpc.payment.products.useQuery()
  return (
    <Section title={t('billing.plans')}>
      {plans.length === 0 && <Text c="dimmed">{t('billing.noPlans')}</Text>}
      <Rows>
        {plans.map((plan) => {
          const { id, productId, quantity, status, amount, currency, nextBillingDate, cancelAtNextBillingDate } = plan
          const known = subscriptionStatuses.find((name) => name === status)
          const name = products.data?.find((product) => product.id === productId)?.name ?? productId
          const day = nextBillingDate === null ? undefined : moment.day(nextBillingDate)
          const isEnding = cancelAtNextBillingDate && plan.isEntitled
          const note =
            day === undefined || (status !== 'active' && !isEnding)
              ? money(amount, currency)
              : isEnding
                ? t('billing.endsOn', { day })
                : t('billing.next', { amount: money(amount, currency), day })
          return (
            <Row
              key={id}
              name={
                <Group gap={8}>
                  {quantity > 1 ? `${name} × ${quantity}` : name}
                  <Badge variant="outline" color={plan.isEntitled ? 'var(--good)' : 'var(--quiet)'}>
                    {known ? t(`billing.${known}`) : status}
                  </Badge>
                </Group>
              }
              note={note}
            />
          )
        })}
      </Rows>
    </Section>
  )
}
