import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { Refused } from '../ui/Form.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import type { BillingScope } from './billing-scope.ts'
import { usePrice } from './money.ts'

/** Products for sale. An unavailable payment provider shows an error in this section only. */
export function Products({ scope }: { scope: BillingScope }) {
  const { t } = useTranslation()
  const price = usePrice()
  const products = trpc.payment.products.useQuery()
  const checkout = trpc.payment.createCheckout.useMutation({
    onSuccess: ({ checkoutUrl }) => location.assign(checkoutUrl),
  })
  return (
    <Section title={t('billing.products')}>
      {products.data?.length === 0 && <Text c="dimmed">{t('billing.noProducts')}</Text>}
      <Rows>
        {products.data?.map(({ id, name, description, price: amount, currency, isRecurring, ...terms }) => (
          <Row
            key={id}
            name={name}
            note={[
              amount !== null && currency !== null && price({ ...terms, amount, currency }),
              t(isRecurring ? 'billing.recurring' : 'billing.once'),
              description,
            ]
              .filter(Boolean)
              .join(' · ')}
            action={
              <Button
                size="sm"
                aria-label={t(isRecurring ? 'billing.subscribeOf' : 'billing.buyOf', { name })}
                loading={(checkout.isPending || checkout.isSuccess) && checkout.variables.product_id === id}
                onClick={() => checkout.mutate({ product_id: id, ...scope })}
              >
                {t(isRecurring ? 'billing.subscribe' : 'billing.buy')}
              </Button>
            }
          />
        ))}
      </Rows>
      <Refused error={products.error ?? checkout.error} />
    </Section>
  )
}
