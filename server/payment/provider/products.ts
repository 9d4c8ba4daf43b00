import { z } from 'zod'
import type { Product } from '../../../shared/payment.ts'
import type { App } from '../../dependencies.ts'
import type { Db } from '../../foundation/database.ts'
import { callPaymentProvider, type PaymentSettings, readList } from './provider-api.ts'

type Products = z.output<typeof Product>[]

/** How long a cached list is returned, in milliseconds. Each process has its own cache. */
const cacheMs = 300_000
/** Products of one page of the provider, and the maximum number of pages. */
const pageSize = 100
const maxPages = 10

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

type Deps = Pick<App, 'config' | 'db' | 'log' | 'clock'>
type Cache = { key: string; products: Products; at: number }
let cached: Cache | undefined
let loading: { key: string; products: Promise<Products> } | undefined

/**
 * Products for sale. Empty if payments are off, so that screens need no special case. Concurrent requests share one
 * call, and an outdated list is returned if the provider fails.
 */
export async function listProducts({ config, db, log, clock }: Deps): Promise<Products> {
  const settings = config.payments
  if (!settings) return []
  const now = clock()
  const key = JSON.stringify(settings)
  const known = cached?.key === key ? cached : undefined
  if (known && now.getTime() - known.at < cacheMs) return known.products
  if (loading?.key !== key) {
    const products = load(settings).then(async ({ products: list, rows }) => {
      cached = { key, products: list, at: now.getTime() }
      // A failure to store the copy does not matter: the next list renews it.
      await storeProducts(db, rows, now).catch((error: unknown) => log.warn({ err: error }, 'failed to store products'))
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

async function loadPages(settings: PaymentSettings) {
  const all: z.output<typeof ProviderProducts>['items'] = []
  for (let page_number = 0; page_number < maxPages; page_number++) {
    const { items } = await callPaymentProvider(settings, ProviderProducts, (client) =>
      readList(client.products.list({ page_number, page_size: pageSize })),
    )
    all.push(...items)
    if (items.length < pageSize) break
  }
  const byId = new Map(all.map((product) => [product.product_id, product]))
  return [...byId.values()]
}

async function load(settings: PaymentSettings): Promise<{ products: Products; rows: ProductRow[] }> {
  const items = await loadPages(settings)
  const products = items.map((product) => ({
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
    features: featuresIn(product.metadata),
  }))
  const rows = items.map(({ product_id: productId, name, metadata }) => ({
    productId,
    name: name ?? productId,
    features: featuresIn(metadata),
    ...seatsIn(metadata),
  }))
  return { products, rows }
}

type Metadata = Record<string, unknown> | null | undefined

/** Features that a product grants: `features` in its metadata at the provider, separated by commas. */
function featuresIn(metadata: Metadata): string[] {
  const text = metadata?.['features']
  if (typeof text !== 'string') return []
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => /^[\w.:-]{1,64}$/.test(name))
}

/**
 * `seats: members` in the metadata makes the quantity follow the number of members. `seat_limit` is the maximum number
 * of members.
 */
function seatsIn(metadata: Metadata): { hasSeats: boolean; seatLimit: number | null } {
  const limit = String(metadata?.['seat_limit'] ?? '')
  return { hasSeats: metadata?.['seats'] === 'members', seatLimit: /^[1-9]\d{0,5}$/.test(limit) ? Number(limit) : null }
}

type ProductRow = { productId: string; name: string; features: string[]; hasSeats: boolean; seatLimit: number | null }

/** Stores the product data that must remain available while the provider is unreachable. */
async function storeProducts(db: App['db'], rows: ProductRow[], now: Date): Promise<void> {
  await db.$transaction([
    db.product.deleteMany({ where: { productId: { in: rows.map(({ productId }) => productId) } } }),
    db.product.createMany({ data: rows.map((row) => ({ ...row, updatedAt: now })), skipDuplicates: true }),
  ])
}

/** Features of the given products, as they were last read. */
export async function findFeatures(db: Db, productIds: string[]): Promise<Map<string, string[]>> {
  const rows = await db.product.findMany({ where: { productId: { in: productIds } } })
  return new Map(rows.map(({ productId, features }) => [productId, features]))
}
