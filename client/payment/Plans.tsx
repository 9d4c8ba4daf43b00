import { Badge, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { subscriptionStatuses } from '../../shared/payment.ts'
import { trpc, type Outputs } from '../app/trpc.ts'
import { useDateFormat } from '../ui/moment.ts'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { ManageSubscription } from './ManageSubscription.tsx'
import { usePrice } from './money.ts'

type PlansProps = { plans: Outputs['payment']['subscriptions']; hasCheckout: boolean }

/** Subscriptions, each with its price, its next billing date or end date, and what can be done with it. */
export function Plans({ plans, hasCheckout }: PlansProps) {
  const { t } = useTranslation()
  const price = usePrice()
  const moment = useDateFormat()
  const products = trpc.payment.products.useQuery()
  return (
    <Section title={t('billing.plans')}>
      {plans.length === 0 && <Text c="dimmed">{t('billing.noPlans')}</Text>}
      <Rows>
        {plans.map((plan) => {
          const { id, productId, quantity, status, nextBillingDate, trialEndsAt } = plan
          const known = subscriptionStatuses.find((name) => name === status)
          const name = products.data?.find((product) => product.id === productId)?.name ?? productId
          const day = nextBillingDate === null ? undefined : moment.day(nextBillingDate)
          const isEnding = plan.cancelAtNextBillingDate && plan.isEntitled
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
              note={[
                price(plan),
                trialEndsAt !== null && t('billing.trialUntil', { day: moment.day(trialEndsAt) }),
                day !== undefined && isEnding && t('billing.endsOn', { day }),
                day !== undefined && !isEnding && status === 'active' && t('billing.nextOn', { day }),
              ]
                .filter(Boolean)
                .join(' · ')}
              action={hasCheckout && <ManageSubscription plan={plan} name={name} />}
            />
          )
        })}
      </Rows>
    </Section>
  )
}
