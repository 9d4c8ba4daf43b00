import { normalizeEmail } from '../../shared/account.ts'
import type { Tx } from '../foundation/db.ts'

/** Whose a purchase is. */
export type Owner = { userId: string } | { organizationId: string }

type Buyer = {
  customer?: { customer_id: string; email: string; name: string } | null | undefined
  metadata?: Record<string, unknown> | null | undefined
}

/**
 * The owner of an object: what our own server put into its metadata at the checkout; else whom the provider's customer stands
 * for; else the user who has proven the customer's address. Undefined: it waits for an administrator.
 */
export async function findOwner(tx: Tx, { customer, metadata }: Buyer): Promise<Owner | undefined> {
  const organizationId = metadata?.['organization_id']
  if (typeof organizationId === 'string' && (await tx.organization.findUnique({ where: { id: organizationId } }))) {
    return { organizationId }
  }
  const userId = metadata?.['user_id']
  if (typeof userId === 'string' && (await tx.user.findUnique({ where: { id: userId } }))) return { userId }
  if (!customer) return undefined
  const known = await tx.customer.findUnique({ where: { customerId: customer.customer_id } })
  if (known?.organizationId) return { organizationId: known.organizationId }
  if (known?.userId) return { userId: known.userId }
  const email = normalizeEmail(customer.email || known?.email || '')
  const user = email === '' ? null : await tx.user.findUnique({ where: { email } })
  return user?.emailVerified ? { userId: user.id } : undefined
}

/** The provider's customer, and whom it stands for once that is known; a tie is never undone by an event. */
export async function rememberCustomer(
  tx: Tx,
  { customer_id: customerId, email, name }: NonNullable<Buyer['customer']>,
  owner: Owner | undefined,
  now: Date,
): Promise<void> {
  const userId = owner && 'userId' in owner ? owner.userId : null
  const organizationId = owner && 'organizationId' in owner ? owner.organizationId : null
  await tx.$executeRaw`
    insert into "Customer" ("customerId", email, name, "userId", "organizationId", "createdAt", "updatedAt")
    values (${customerId}, ${normalizeEmail(email)}, ${name}, ${userId}, ${organizationId}, ${now}, ${now})
    on conflict ("customerId") do update set
      email = case when excluded.email = '' then "Customer".email else excluded.email end,
      name = case when excluded.name = '' then "Customer".name else excluded.name end,
      "userId" = case when "Customer"."organizationId" is null then coalesce("Customer"."userId", excluded."userId") else null end,
      "organizationId" = case when "Customer"."userId" is null then coalesce("Customer"."organizationId", excluded."organizationId") else null end,
      "updatedAt" = excluded."updatedAt"`
}

/** Events that only waited for an owner are settled when one is known: of this customer, and about this payment. */
export async function settleStrays(
  tx: Tx,
  { customerId, paymentId = '' }: { customerId: string; paymentId?: string },
  now: Date,
): Promise<void> {
  await tx.$executeRaw`
    update "WebhookEvent" set "appliedAt" = ${now}
    where "appliedAt" is null and failure is null and (
      (${customerId} <> '' and (payload->'data'->'customer'->>'customer_id' = ${customerId} or payload->'data'->>'customer_id' = ${customerId}))
      or (${paymentId} <> '' and payload->'data'->>'payment_id' = ${paymentId}))`
}

/** Rows of an owner: tied by their own metadata, or by the customer they were bought as. */
export async function ownedBy(tx: Tx, owner: Owner) {
  const customers = await tx.customer.findMany({ where: owner, select: { customerId: true } })
  const customerIds = customers.map(({ customerId }) => customerId)
  return { OR: [owner, { userId: null, organizationId: null, customerId: { in: customerIds } }] }
}
