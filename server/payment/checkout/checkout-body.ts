import type { CreateCheckout } from '../../../shared/payment.ts'

/** The body of the provider's checkout session, from the payload of our own call. */
export function checkoutBody(input: CreateCheckout, { language, theme }: { language: string; theme?: string }) {
  const { product_id, quantity = 1, product_cart, addons, billing } = input
  const cart = product_cart ?? [{ product_id: product_id ?? '', quantity }]
  const currency = input.billing_currency ?? input.currency
  const code = input.discount_code ?? input.discount_id
  return {
    product_cart: cart.map((line) => ({
      product_id: line.product_id,
      quantity: line.quantity,
      ...('amount' in line && line.amount !== undefined && { amount: line.amount }),
      ...(addons && addons.length > 0 && { addons }),
    })),
    ...(billing && { billing_address: billing }),
    ...(code !== undefined && { discount_code: code }),
    ...(currency !== undefined && { billing_currency: currency.toUpperCase() }),
    ...(input.tax_id !== undefined && { tax_id: input.tax_id }),
    ...(input.customer_business_name !== undefined && { customer_business_name: input.customer_business_name }),
    customization: { force_language: language, ...(theme !== undefined && { theme }) },
  }
}
