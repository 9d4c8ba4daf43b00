import { ongoingStatuses } from '../../shared/payment.ts'
import { useTranslation } from '../language/translation.ts'
import { useDateFormat } from '../ui/date-format.ts'
import { Empty } from '../ui/Empty.tsx'
import { Section } from '../ui/Section.tsx'
import { Tag } from '../ui/Tag.tsx'
import type { Payment, Subscription } from './billing-scope.ts'
import { ManageSubscription } from './ManageSubscription.tsx'
import { toneOfSubscription, useProductName, useSubscriptionStatus } from './payment-status.ts'
import { Price } from './Price.tsx'
import classes from './Subscriptions.module.css'

type SubscriptionCardsProps = {
  subscriptions: readonly Subscription[]
  payments: readonly Payment[]
  hasCheckout: boolean
}

/**
 * Subscriptions as cards, those that need an action first, then those that grant access, with price, next date, state
 * and actions.
 */
export function SubscriptionCards({ subscriptions, payments, hasCheckout }: SubscriptionCardsProps) {
  const { t } = useTranslation()
  const sorted = subscriptions.toSorted((one, other) => rankOf(one) - rankOf(other))
  const isCurrent = ({ isEntitled, status }: Subscription) =>
    isEntitled || status === 'pending' || ongoingStatuses.some((ongoing) => ongoing === status)
  // Payments are listed newest first.
  const cardOf = ({ id }: Subscription) =>
    payments.find(({ subscriptionId, cardLastFour }) => subscriptionId === id && cardLastFour !== null)?.cardLastFour
  const card = (subscription: Subscription) => (
    <SubscriptionCard
      key={subscription.id}
      subscription={subscription}
      card={cardOf(subscription)}
      hasCheckout={hasCheckout}
    />
  )
  const former = sorted.filter((subscription) => !isCurrent(subscription))
  if (sorted.length === 0) {
    return (
      <Section>
        <Empty text={t('billing.noSubscriptions')} />
      </Section>
    )
  }
  return (
    <>
      <ul className={classes.cards}>{sorted.filter(isCurrent).map(card)}</ul>
      {former.length > 0 && (
        <details className={classes.former}>
          <summary>{t('billing.former', { count: former.length })}</summary>
          <ul className={classes.cards}>{former.map(card)}</ul>
        </details>
      )}
    </>
  )
}

/** The place of a subscription in the list. */
function rankOf({ status, isEntitled }: Subscription): number {
  if (status === 'past_due' || status === 'on_hold' || status === 'paused') return 0
  return isEntitled ? 1 : 2
}

type SubscriptionCardProps = { subscription: Subscription; card: string | null | undefined; hasCheckout: boolean }

function SubscriptionCard({ subscription, card, hasCheckout }: SubscriptionCardProps) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  // Our own data is shown immediately; the provider's current names follow.
  const productName = useProductName()
  const statusName = useSubscriptionStatus()
  const { productId, quantity, status, nextBillingDate, trialEndsAt } = subscription
  const name = productName(productId, subscription.productName)
  const isEnding = subscription.cancelAtNextBillingDate && subscription.isEntitled
  const day = nextBillingDate === null ? undefined : dateFormat.day(nextBillingDate)
  const facts: [string, string][] = [
    ...(trialEndsAt === null ? [] : [[t('billing.trial'), dateFormat.day(trialEndsAt)] as [string, string]]),
    ...(day !== undefined && isEnding ? [[t('billing.ends'), day] as [string, string]] : []),
    ...(day !== undefined && !isEnding && status === 'active'
      ? [[t('billing.nextPayment'), day] as [string, string]]
      : []),
    ...(card == null ? [] : [[t('billing.lastPaidWith'), t('billing.card', { digits: card })] as [string, string]]),
  ]
  return (
    <li className={classes.hero} data-entitled={subscription.isEntitled}>
      <div>
        <h2 className={classes.name}>
          {quantity > 1 ? `${name} × ${quantity}` : name}{' '}
          <Tag tone={toneOfSubscription(subscription)}>{statusName(status)}</Tag>
        </h2>
        <Price of={subscription} size="large" />
        {facts.length > 0 && (
          <dl className={classes.facts}>
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {hasCheckout && <ManageSubscription subscription={subscription} name={name} />}
    </li>
  )
}
