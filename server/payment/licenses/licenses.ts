import { z } from 'zod'
import type {
  ActivateLicense,
  ActivatedLicense,
  CheckDiscount,
  CheckedDiscount,
  DeactivateLicense,
  ValidateLicense,
} from '../../../shared/payment.ts'
import { callPaymentProvider, type PaymentSettings, paymentProviderStatus } from '../provider/provider-api.ts'

type Settings = PaymentSettings | undefined

const Activated = z.object({ id: z.string().min(1), product: z.object({ product_id: z.string() }) })

/** Activates a license key for one installation, which `name` describes. */
export async function activateLicense(
  settings: Settings,
  { licenseKey: license_key, name }: z.output<typeof ActivateLicense>,
): Promise<z.input<typeof ActivatedLicense>> {
  const { id, product } = await callPaymentProvider(settings, Activated, (client) =>
    client.licenses.activate({ license_key, name }),
  )
  return { instanceId: id, productId: product.product_id }
}

/** Frees the activation of one installation. */
export async function deactivateLicense(
  settings: Settings,
  { licenseKey: license_key, instanceId: license_key_instance_id }: z.output<typeof DeactivateLicense>,
): Promise<void> {
  await callPaymentProvider(settings, z.unknown(), (client) =>
    client.licenses.deactivate({ license_key, license_key_instance_id }),
  )
}

/** Whether a license key, or its activation for one installation, is valid. An unknown key is invalid. */
export async function validateLicense(
  settings: Settings,
  { licenseKey: license_key, instanceId }: z.output<typeof ValidateLicense>,
): Promise<boolean> {
  const named = { license_key, ...(instanceId !== undefined && { license_key_instance_id: instanceId }) }
  const { valid } = await callPaymentProvider(settings, z.object({ valid: z.boolean() }), (client) =>
    client.licenses.validate(named).catch(whenUnknown({ valid: false })),
  )
  return valid
}

const Discount = z.object({
  type: z.string(),
  amount: z.number(),
  expires_at: z.string().nullish(),
  usage_limit: z.number().nullish(),
  times_used: z.number().nullish(),
  restricted_to: z.array(z.string()).nullish(),
})

/** Whether a discount code exists, is not used up or expired, and applies to the product. */
export async function checkDiscount(
  settings: Settings,
  { code, productId }: z.output<typeof CheckDiscount>,
  now: Date,
): Promise<z.input<typeof CheckedDiscount>> {
  // In a URL path these are not names.
  if (code === '.' || code === '..') return { isValid: false, type: null, amount: null }
  const found = await callPaymentProvider(settings, z.union([Discount, z.literal('unknown')]), (client) =>
    client.discounts.retrieveByCode(code).catch(whenUnknown('unknown' as const)),
  )
  if (found === 'unknown') return { isValid: false, type: null, amount: null }
  const products = found.restricted_to ?? []
  const isValid =
    (found.expires_at == null || new Date(found.expires_at) > now) &&
    (found.usage_limit == null || (found.times_used ?? 0) < found.usage_limit) &&
    (productId === undefined || products.length === 0 || products.includes(productId))
  return isValid ? { isValid, type: found.type, amount: found.amount } : { isValid, type: null, amount: null }
}

/** A code that the provider does not know gets a regular answer instead of a refusal. */
function whenUnknown<Answer>(answer: Answer) {
  return (error: unknown): Answer => {
    const status = paymentProviderStatus(error)
    if (status === 404 || status === 422) return answer
    throw error
  }
}
