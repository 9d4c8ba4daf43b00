import { z } from 'zod'
import { terminalStatuses } from '../../../shared/payment.ts'
import { columnsOf } from '../owner.ts'
import { Id, Text, Time } from './fields.ts'
import { assignOwnerless, changeText, isNewer, keepOwner, upsert, type PaymentObject } from './object.ts'

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
      const { userId, organizationId } = columnsOf(owner)
      return upsert(sql, 'licenseKey', upsertText, [
        id,
        licenseKey.key,
        status,
        licenseKey.product_id ?? '',
        customerId,
        paymentId ?? null,
        subscriptionId ?? null,
        licenseKey.expires_at,
        licenseKey.created_at ?? at,
        JSON.stringify(payload),
        eventAt,
        eventId,
        userId,
        organizationId,
      ])
    },
  }
}

const upsertText = `
  with former as (
    select status, false as "wasEnding", "userId" is null and "organizationId" is null as "hadNoOwner"
    from "LicenseKey" where id = $1 for update),
  written as (
    insert into "LicenseKey" as t (id, key, status, "productId", "customerId", "paymentId", "subscriptionId", "expiresAt",
      "createdAt", payload, "eventAt", "eventId", "userId", "organizationId")
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11, $12, $13, $14)
    on conflict (id) do update set
      key = excluded.key, status = excluded.status, "productId" = excluded."productId",
      "customerId" = excluded."customerId", "paymentId" = excluded."paymentId",
      "subscriptionId" = excluded."subscriptionId", "expiresAt" = excluded."expiresAt",
      "createdAt" = excluded."createdAt", payload = excluded.payload, "eventAt" = excluded."eventAt",
      "eventId" = excluded."eventId", ${keepOwner}
    where ${isNewer('status', terminalStatuses.licenseKey)}
    returning 1)
  ${changeText}`
