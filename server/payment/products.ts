import type { z } from 'zod'
import type { Product } from '../../shared/payment.ts'
import { callProvider, type PaymentSettings } from '../foundation/dodo.ts'
import { isRecord } from '../foundation/records.ts'

type Products = z.output<typeof Product>[]

/** The catalogue changes seldom, and every process may read it for itself. */
const freshMs = 300_000
/** Products that are shown; the provider's first page. */
const maxProducts = 100

let kept: { products: Products; at: number; key: string } | undefined

/** What can be bought; empty where payments are off, so that a screen has nothing to hide. */
export async function listProducts(settings: PaymentSettings | undefined, now: Date): Promise<Products> {
  if (!settings) return []
  const key = `${settings.apiKey} ${settings.baseUrl ?? settings.environment}`
  if (kept?.key === key && now.getTime() - kept.at < freshMs) return kept.products
  const page = await callProvider(settings, (client) => client.products.list({ page_size: maxProducts }))
  const products = page.items.map((product) => ({
    id: product.product_id,
    name: product.name ?? product.product_id,
    description: product.description ?? null,
    price: isRecord(product) && typeof product.price === 'number' ? product.price : null,
    currency: product.currency ?? null,
    isRecurring: product.is_recurring,
  }))
  kept = { products, at: now.getTime(), key }
  return products
}
