import { z } from 'zod'
import { terminalStatuses } from '../../../shared/payment.ts'
import { columnsOf } from '../owner/owner.ts'
import { Id, Text, Time } from './fields.ts'
import { assignOwnerless, type PaymentObject } from './object.ts'
import { upsert, upsertInto } from './upsert.ts'

const LicenseKey = z.looseObject({
  id: Id,
  key: z.string().max(2000),
  status: Text,
  product_id: Text,
  customer_id: Id,
  payment_id: Text,
  subscription_id: Text,
  expires_at: Time,
  created_at: Time,
})

/** A license key: it belongs to the owner of its payment or its subscription. */
export function readLicenseKey(data: unknown, at: Date): PaymentObject {
  const licenseKey = LicenseKey.parse(data)
  const { id, customer_id: customerId, payment_id: paymentId, subscription_id: subscriptionId } = licenseKey
  const status = licenseKey.status ?? null
  return {
    table: 'LicenseKey',
    assign: assignOwnerless('LicenseKey', id),
    id,
    status,
    customer: { customer_id: customerId, email: '', name: '' },
    paymentId: paymentId || undefined,
    subscriptionId: subscriptionId || undefined,
    write(sql, { payload, eventAt, eventId }, owner) {
      const row = licenseKeys({
        id,
        key: licenseKey.key,
        status,
        productId: licenseKey.product_id ?? '',
        customerId,
        paymentId,
        subscriptionId,
        expiresAt: licenseKey.expires_at,
        createdAt: licenseKey.created_at ?? at,
        payload: JSON.stringify(payload),
        eventAt,
        eventId,
        ...columnsOf(owner),
      })
      return upsert(sql, row)
    },
  }
}

const licenseKeys = upsertInto({
  name: 'LicenseKey',
  key: 'id',
  columns: ['key', 'status', 'productId', 'customerId', 'paymentId', 'subscriptionId', 'expiresAt'],
  status: { column: 'status', terminal: terminalStatuses.licenseKey },
  hasOwner: true,
})
