import { ActionIcon, Button, Skeleton, useComputedColorScheme } from '@mantine/core'
import { useState } from 'react'
import { ongoingStatuses } from '../../shared/payment.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ErrorCard } from '../ui/ErrorCard.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { MoreIcon } from '../ui/screen-icons.tsx'
import { Tag } from '../ui/Tag.tsx'
import type { BillingScope, Subscription } from './billing-scope.ts'
import { ChangePlan } from './ChangePlan.tsx'
import { CheckoutOptions } from './CheckoutOptions.tsx'
import { Price } from './Price.tsx'
import classes from './Products.module.css'

type Product = Outputs['payment']['products'][number]

/**
 * Products for sale as cards: plans, then one-time purchases. An unreachable or slow payment provider affects only this
 * section.
 */
export function Products({ scope, subscriptions }: { scope: BillingScope; subscriptions: readonly Subscription[] }) {
  const { t } = useTranslation()
  const theme = useComputedColorScheme('light')
  const products = trpc.payment.products.useQuery(undefined, { trpc: { context: { isSlow: true } } })
  const [open, setOpen] = useState<Product>()
  const checkout = trpc.payment.createCheckout.useMutation({
    onSuccess: ({ checkoutUrl }) => location.assign(checkoutUrl),
  })
  const isBusy = checkout.isPending || checkout.isSuccess
  const current = new Set(subscriptions.filter(({ isEntitled }) => isEntitled).map(({ productId }) => productId))
  // A second subscription would be paid in addition. It is still possible through the options. With several
  // subscriptions, plans are changed from the card of each.
  const subscribed = subscriptions.filter(({ status }) => ongoingStatuses.some((ongoing) => ongoing === status))
  const [only] = subscribed
  const changeable =
    subscribed.length === 1 && only?.status === 'active' && !only.cancelAtNextBillingDate ? only : undefined
  const [switchTo, setSwitchTo] = useState<string>()
  const groups = [
    { title: t('billing.plans'), items: products.data?.filter(({ isRecurring }) => isRecurring) ?? [] },
    { title: t('billing.oneTime'), items: products.data?.filter(({ isRecurring }) => !isRecurring) ?? [] },
  ].filter(({ items }) => items.length > 0)
  return (
    <>
      {groups.length === 0 && (
        <section className={classes.section}>
          <h2 className={classes.title}>{t('billing.plans')}</h2>
          {products.isPending && <ProductsLoading />}
          {products.error && (
            // As high as the loading products: what follows does not move.
            <div className={`${classes.products} ${classes.failed}`}>
              <ErrorCard error={products.error} onTryAgain={() => void products.refetch()} />
              <div className={classes.missing} aria-hidden />
              <div className={classes.missing} aria-hidden />
            </div>
          )}
          {products.data && <p className={classes.note}>{t('billing.noProducts')}</p>}
        </section>
      )}
      {groups.map(({ title, items }) => (
        <section key={title} className={classes.section}>
          <h2 className={classes.title}>{title}</h2>
          <ul className={classes.products}>
            {items.map((product) => (
              <ProductCard
                key={product.id}
                product={product}
                isCurrent={current.has(product.id)}
                isSubscribed={subscribed.length > 0}
                isPending={isBusy && checkout.variables?.product_id === product.id}
                onBuy={() => checkout.mutate({ product_id: product.id, theme, ...scope })}
                onSwitch={changeable && (() => setSwitchTo(product.id))}
                onOptions={() => setOpen(product)}
              />
            ))}
          </ul>
        </section>
      ))}
      <ErrorMessage error={checkout.error} />
      {changeable && switchTo !== undefined && (
        <ChangePlan subscription={changeable} to={switchTo} onClose={() => setSwitchTo(undefined)} />
      )}
      {open && (
        <CheckoutOptions
          product={open}
          error={checkout.error}
          isPending={isBusy}
          onSubmit={(options) => checkout.mutate({ product_id: open.id, theme, ...options, ...scope })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

type ProductCardProps = {
  product: Product
  /** The plan of a subscription that grants access. */
  isCurrent: boolean
  isSubscribed: boolean
  isPending: boolean
  onBuy: () => void
  /** Changes the only subscription to this plan. Undefined if that is not possible. */
  onSwitch: (() => void) | undefined
  onOptions: () => void
}

/** A product with its price and what can be done: buy, subscribe, or switch to it. */
function ProductCard({ product, isCurrent, isSubscribed, isPending, onBuy, onSwitch, onOptions }: ProductCardProps) {
  const { t } = useTranslation()
  const { name, description, price: amount, currency, isRecurring, ...terms } = product
  const verb = isRecurring ? 'subscribe' : 'buy'
  return (
    <li className={classes.product} data-current={isCurrent}>
      <strong className={classes.name}>{name}</strong>
      {amount !== null && currency !== null && <Price of={{ ...terms, amount, currency }} />}
      {description !== null && <p className={classes.note}>{description}</p>}
      <div className={classes.actions}>
        {isRecurring && isCurrent ? (
          <Tag tone="accent">{t('billing.currentPlan')}</Tag>
        ) : isRecurring && onSwitch ? (
          <Button className={classes.action ?? ''} aria-label={`${t('billing.switch')}: ${name}`} onClick={onSwitch}>
            {t('billing.switch')}
          </Button>
        ) : (
          <Button
            className={classes.action ?? ''}
            variant={isRecurring && isSubscribed ? 'default' : 'filled'}
            aria-label={t(`billing.${verb}Of`, { name })}
            loading={isPending}
            onClick={onBuy}
          >
            {t(`billing.${verb}`)}
          </Button>
        )}
        <ActionIcon
          variant="subtle"
          size={40}
          className="quiet-button"
          aria-label={`${name}: ${t('billing.options')}`}
          title={t('billing.options')}
          onClick={onOptions}
        >
          <MoreIcon />
        </ActionIcon>
      </div>
    </li>
  )
}

/** As high as the products that usually follow. */
function ProductsLoading() {
  const { t } = useTranslation()
  return (
    <output aria-label={t('common.loading')} className={`${classes.products} appears-late`}>
      {[1, 2, 3].map((n) => (
        <Skeleton key={n} height={170} radius="md" />
      ))}
    </output>
  )
}
