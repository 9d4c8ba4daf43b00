import { z } from 'zod'
import type { Product } from '../../shared/payment.ts'
import { callProvider, type PaymentSettings, readList } from '../foundation/dodo.ts'

type Products = z.output<typeof Product>[]

/** How long a list is returned without asking again, in milliseconds. Each process reads it for itself. */
const freshMs = 300_000
/** Maximum number of products: one page of the provider. */
const maxProducts = 100

const Interval = z.enum(['Day', 'Week', 'Month', 'Year']).nullish().catch(null)
const ProviderProducts = z.object({
  items: z.array(
    z.object({
      product_id: z.string().min(1),
      name: z.string().nullish(),
      description: z.string().nullish(),
      price: z.number().nullish().catch(null),
      currency: z.string().nullish(),
      is_recurring: z.boolean().catch(false),
      tax_inclusive: z.boolean().nullish().catch(null),
      metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
      price_detail: z
        .object({
          payment_frequency_interval: Interval,
          payment_frequency_count: z.number().nullish().catch(null),
          trial_period_days: z.number().nullish().catch(null),
        })
        .nullish()
        .catch(null),
    }),
  ),
})

type Cache = { key: string; products: Products; at: number }
let cached: Cache | undefined
let loading: { key: string; products: Promise<Products> } | undefined

/**
 * Products for sale; none if payments are off. Concurrent requests share one call, and an outdated list is returned if the
 * provider fails.
 */
export async function listProducts(settings: PaymentSettings | undefined, now: Date): Promise<Products> {
  if (!settings) return []
  const key = JSON.stringify(settings)
  const known = cached?.key === key ? cached : undefined
  if (known && now.getTime() - known.at < freshMs) return known.products
  if (loading?.key !== key) {
    const products = load(settings).then((list) => {
      cached = { key, products: list, at: now.getTime() }
      return list
    })
    const own = { key, products }
    loading = own
    void products
      .catch(() => {})
      .finally(() => {
        if (loading === own) loading = undefined
      })
  }
  return loading.products.catch((error: unknown) => {
    if (known) return known.products
    throw error
  })
}

async function load(settings: PaymentSettings): Promise<Products> {
  const { items } = await callProvider(settings, ProviderProducts, (client) =>
    readList(client.products.list({ page_size: maxProducts })),
  )
  return items.map((product) => ({
    id: product.product_id,
    name: product.name ?? product.product_id,
    description: product.description ?? null,
    price: product.price ?? null,
    currency: product.currency ?? null,
    isRecurring: product.is_recurring,
    isTaxIncluded: product.tax_inclusive ?? null,
    interval: product.price_detail?.payment_frequency_interval ?? null,
    intervalCount: product.price_detail?.payment_frequency_count ?? null,
    trialDays: product.price_detail?.trial_period_days ?? null,
    features: featuresOf(product.metadata),
  }))
}

/**
 * Features that a product grants: the comma-separated `features` of its metadata at the provider. The provider's metadata
 * values are text.
 */
export function featuresOf(metadata: Record<string, unknown> | null | undefined): string[] {
  const text = metadata?.['features']
  if (typeof text !== 'string') return []
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => /^[\w.:-]{1,64}$/.test(name))
}
