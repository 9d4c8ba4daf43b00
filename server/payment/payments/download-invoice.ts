import { z } from 'zod'
import type { InvoiceReference } from '../../../shared/payment.ts'
import { refuse } from '../../foundation/refusal.ts'
import type { PdfDocument } from '../../procedure/document.ts'
import type { CallerContext } from '../../request/context.ts'
import { findManagedBillingOwner } from '../billing-owner/require-billing-owner.ts'
import { callPaymentProvider } from '../provider/provider-api.ts'
import { findPayment } from '../records/stored-payments.ts'
import { isOwnedPayment } from './owned-payments.ts'

/** Maximum size of a document, in bytes. */
const maxBytes = 10_000_000

const Pdf = z.instanceof(Buffer)

/** A document from the provider: the invoice of a payment, or the receipt of one of its refunds. */
export async function downloadInvoice(
  ctx: CallerContext,
  { paymentId, refundId }: z.output<typeof InvoiceReference>,
): Promise<PdfDocument> {
  if (!ctx.config.payments) refuse('PAYMENTS_ARENT_ENABLED')
  if (!(await mayOpen(ctx, paymentId, refundId))) refuse('PAYMENT_NOT_FOUND')
  const pdf = await callPaymentProvider(ctx.config.payments, Pdf, async ({ invoices }) => {
    const response = await (refundId === undefined
      ? invoices.payments.retrieve(paymentId)
      : invoices.payments.retrieveRefund(refundId))
    const bytes = Buffer.from(await response.arrayBuffer())
    // Anything but a PDF, such as an HTML page, must not be served from our origin.
    return bytes.length <= maxBytes && bytes.subarray(0, 5).toString('latin1') === '%PDF-' ? bytes : undefined
  })
  return { pdf, name: refundId ?? paymentId }
}

/** Whether the caller manages the billing of the payment's owner. For other callers the payment counts as missing. */
async function mayOpen(ctx: CallerContext, paymentId: string, refundId: string | undefined): Promise<boolean> {
  const row = await findPayment(ctx.db, paymentId)
  if (!row) return false
  const owner = await findManagedBillingOwner(ctx, row.organizationId ?? undefined)
  return owner !== undefined && (await isOwnedPayment(ctx.db, owner, { paymentId, refundId }))
}
