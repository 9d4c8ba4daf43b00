import { Button, NumberInput, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { RadioCards } from '../ui/RadioCards.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import type { Subscription } from './billing-scope.ts'
import { useMoney, usePrice } from './money.ts'
import { useProductName } from './payment-status.ts'

/**
 * Changes plan or quantity, with the price that the provider computes for it. `to` is the initially selected product.
 */
export function ChangePlan({
  subscription,
  to,
  onClose,
}: {
  subscription: Subscription
  to?: string
  onClose: () => void
}) {
  const { t } = useTranslation()
  const money = useMoney()
  const productName = useProductName()
  const price = usePrice()
  const { id: subscriptionId } = subscription
  const [productId, setProductId] = useState(to ?? subscription.productId)
  const [quantity, setQuantity] = useState(subscription.quantity)
  const products = trpc.payment.products.useQuery()
  const change = trpc.payment.changePlan.useMutation({
    onSuccess: ({ hasChanged }) => {
      if (!hasChanged) toast(t('billing.changePending'))
      onClose()
    },
  })
  const wanted = { subscriptionId, productId, quantity }
  const isChanged = productId !== subscription.productId || quantity !== subscription.quantity
  const [requested] = useDebouncedValue(wanted, 400)
  const preview = trpc.payment.previewPlan.useQuery(requested, {
    enabled: requested.productId !== subscription.productId || requested.quantity !== subscription.quantity,
    retry: false,
  })
  const recurring = products.data?.filter(({ isRecurring }) => isRecurring) ?? []
  // The current plan may no longer be for sale, and is shown before the provider has answered.
  const name = productName(subscription.productId, subscription.productName)
  const current = { ...subscription, id: subscription.productId, name, price: subscription.amount }
  const offered = recurring.some(({ id }) => id === subscription.productId) ? recurring : [current, ...recurring]
  const cards = offered.map(({ id, name, price: amount, currency, ...terms }) => ({
    value: id,
    label: (
      <>
        {name} {id === subscription.productId && <Tag tone="accent">{t('billing.currentPlan')}</Tag>}
      </>
    ),
    description: amount !== null && currency !== null && price({ ...terms, amount, currency }),
  }))
  const chosen = recurring.find(({ id }) => id === productId)
  const isCurrent = requested.productId === productId && requested.quantity === quantity
  const costs = isChanged && isCurrent ? preview.data : undefined
  return (
    <Dialog title={t('billing.changePlanTitle')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(wanted)
        }}
      >
        <Stack gap="md">
          <RadioCards label={t('billing.plan')} value={productId} cards={cards} onChange={setProductId} />
          <NumberInput
            label={t('billing.quantity')}
            value={quantity}
            min={1}
            max={10_000}
            allowDecimal={false}
            onChange={(value) => setQuantity(Math.max(1, Number(value) || 1))}
          />
          <output aria-live="polite">
            {costs && (
              <Stack gap={4}>
                <Text fw={550}>
                  {costs.now.amount < 0
                    ? t('billing.credited', { amount: money(-costs.now.amount, costs.now.currency) })
                    : t('billing.dueNow', { amount: money(costs.now.amount, costs.now.currency) })}
                </Text>
                <Text c="dimmed">
                  {t('billing.afterwards', {
                    price: price({
                      ...costs.recurring,
                      interval: chosen?.interval ?? subscription.interval,
                      intervalCount: chosen?.intervalCount ?? subscription.intervalCount,
                      isTaxIncluded: chosen?.isTaxIncluded ?? subscription.isTaxIncluded,
                    }),
                  })}
                </Text>
              </Stack>
            )}
          </output>
          <ErrorMessage error={change.error ?? preview.error ?? products.error} />
          <DialogActions onClose={onClose}>
            <Button type="submit" disabled={!costs} loading={change.isPending || preview.isFetching}>
              {t('billing.changePlan')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
