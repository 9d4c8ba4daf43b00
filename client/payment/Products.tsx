import { ActionIcon, Button, Group, Text, useComputedColorScheme } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Outputs, trpc } from '../app/trpc.ts'
import { Refused } from '../ui/Form.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { MoreIcon } from '../ui/icons.tsx'
import { CheckoutOptions } from './CheckoutOptions.tsx'
import type { BillingScope } from './billing-scope.ts'
import { usePrice } from './money.ts'

type Product = Outputs['payment']['products'][number]

/** Products for sale. An unavailable payment provider shows an error in this section only. */
export function Products({ scope }: { scope: BillingScope }) {
  const { t } = useTranslation()
  const price = usePrice()
  const theme = useComputedColorScheme('light')
  const products = trpc.payment.products.useQuery()
  const [open, setOpen] = useState<Product>()
  const checkout = trpc.payment.createCheckout.useMutation({
    onSuccess: ({ checkoutUrl }) => location.assign(checkoutUrl),
  })
  return (
    <Section title={t('billing.products')}>
      {products.data?.length === 0 && <Text c="dimmed">{t('billing.noProducts')}</Text>}
      <Rows>
        {products.data?.map((product) => {
          const { id, name, description, price: amount, currency, isRecurring, ...terms } = product
          const verb = isRecurring ? 'subscribe' : 'buy'
          return (
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
                <Group gap="xs">
                  <Button
                    size="sm"
                    aria-label={t(`billing.${verb}Of`, { name })}
                    loading={(checkout.isPending || checkout.isSuccess) && checkout.variables?.product_id === id}
                    onClick={() => checkout.mutate({ product_id: id, theme, ...scope })}
                  >
                    {t(`billing.${verb}`)}
                  </Button>
                  <ActionIcon
                    variant="subtle"
                    size={40}
                    className="quiet-button"
                    aria-label={`${name}: ${t('billing.options')}`}
                    onClick={() => setOpen(product)}
                  >
                    <MoreIcon />
                  </ActionIcon>
                </Group>
              }
            />
          )
        })}
      </Rows>
      <Refused error={products.error ?? checkout.error} />
      {open && (
        <CheckoutOptions
          product={open}
          error={checkout.error}
          isPending={checkout.isPending || checkout.isSuccess}
          onSubmit={(options) => checkout.mutate({ product_id: open.id, theme, ...options, ...scope })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Section>
  )
}
