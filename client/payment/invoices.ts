import { restRefusal } from '../api/rest-refusal.ts'
import { saveFile } from '../ui/save-file.ts'

/** The document of a payment, or of one of its refunds. */
export function invoiceOf(paymentId: string, refundId?: string): string {
  return `/api/payments/invoice?${new URLSearchParams({ paymentId, ...(refundId !== undefined && { refundId }) })}`
}

/** Saves the invoice of a payment. Fails with the reason why there is none. */
export async function saveInvoice(paymentId: string): Promise<void> {
  const response = await fetch(invoiceOf(paymentId))
  if (!response.ok) throw await restRefusal(response)
  saveFile(`${paymentId}.pdf`, await response.blob())
}
