import { readDispute } from '../objects/dispute.ts'
import { readLicenseKey } from '../objects/license-key.ts'
import type { PaymentObject } from '../objects/object.ts'
import { readPayment } from '../objects/payment.ts'
import { readRefund } from '../objects/refund.ts'
import { readSubscription } from '../objects/subscription.ts'
import type { Envelope } from '../records/envelope.ts'

const readers: [prefix: string, read: (data: unknown, at: Date) => PaymentObject][] = [
  ['payment.', readPayment],
  ['subscription.', readSubscription],
  ['refund.', readRefund],
  ['dispute.', readDispute],
  ['license_key.', readLicenseKey],
]

/**
 * Parses the object of an event. Its state is taken from the payload, not from the event's type. Undefined for types
 * without rows.
 */
export function readEventObject({ type, data, occurredAt }: Envelope): PaymentObject | undefined {
  const [, read] = readers.find(([prefix]) => type.startsWith(prefix)) ?? []
  return read?.(data, occurredAt)
}
