import { z } from 'zod'
import { terminalStatuses } from '../../../shared/payment.ts'
import { statement } from '../../foundation/statement.ts'
import { billingOwnerColumns } from '../billing-owner/billing-owner.ts'
import { Id, Text, Time } from './fields.ts'
import { assignUnassigned, type PaymentObject } from './object.ts'
import { returnChangeSql, isNewerSql, keepOwnerSql, upsert } from './upsert.ts'

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

/** Reads a license key. It belongs to the owner of its payment or its subscription. */
export function readLicenseKey(data: unknown, at: Date): PaymentObject {
  const licenseKey = LicenseKey.parse(data)
  const { id, customer_id: customerId, payment_id: paymentId, subscription_id: subscriptionId } = licenseKey
  const status = licenseKey.status ?? null
  return {
    table: 'LicenseKey',
    assign: assignUnassigned('LicenseKey', id),
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
        terminal: terminalStatuses.licenseKey,
        ...billingOwnerColumns(owner),
      })
      return upsert(sql, row)
    },
  }
}

const licenseKeys = statement(
  'payments.upsert.LicenseKey',
  `with former as (
    select status, false as "wasCancelingAtPeriodEnd", "userId" is null and "organizationId" is null as "hadNoOwner"
    from "LicenseKey" where id = :id for update),
  written as (
    insert into "LicenseKey" as t (
      id, "key", status, "productId", "customerId", "paymentId", "subscriptionId", "expiresAt", "createdAt",
      payload, "eventAt", "eventId", "userId", "organizationId")
    values (
      :id, :key, :status, :productId, :customerId, :paymentId, :subscriptionId, :expiresAt, :createdAt, :payload,
      :eventAt, :eventId, :userId, :organizationId)
    on conflict (id) do update set
      "key" = excluded."key",
      status = excluded.status,
      "productId" = excluded."productId",
      "customerId" = excluded."customerId",
      "paymentId" = excluded."paymentId",
      "subscriptionId" = excluded."subscriptionId",
      "expiresAt" = excluded."expiresAt",
      "createdAt" = excluded."createdAt",
      payload = excluded.payload,
      "eventAt" = excluded."eventAt",
      "eventId" = excluded."eventId",
      ${keepOwnerSql}
    where ${isNewerSql('status')}
    returning 1)
  ${returnChangeSql}`,
)
