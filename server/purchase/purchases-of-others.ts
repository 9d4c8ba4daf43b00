/** States of a payment that waits for the buyer. After a week, the buyer will not return. */
const awaitingBuyerStatuses = `('requires_payment_method', 'requires_confirmation', 'requires_customer_action')`

/**
 * SQL: whether a payment or subscription of this alias is more than an attempt that failed, was cancelled or was
 * abandoned. A payment that is still processing counts, and so does a subscription that ended: it may have been paid,
 * or have begun with a trial, for which the provider keeps a card.
 */
const isPurchase = {
  Payment: (row: string) => `(${row}.status is null or (${row}.status not in ('failed', 'cancelled')
    and not (${row}.status in ${awaitingBuyerStatuses} and ${row}."createdAt" < now() - interval '7 days')))`,
  Subscription: (row: string) => `${row}.status is distinct from 'failed'`,
  LicenseKey: () => 'true',
} as const

/**
 * SQL: whether there are purchases under a customer of which `belongsToOther` says that they belong to someone else.
 *
 * The provider's portal shows all purchases of a customer, and the previous and the next user of an email address must
 * not see each other's (SEC-116). Therefore purchases of others decide who sees a customer, what a deletion has to wait
 * for, and what is assigned to the buyer. Failed attempts are ignored, because anyone can make them. One that succeeds
 * after the next user has got the purchases stays with its owner; the portal is then closed to both.
 */
export function hasPurchasesOfOthersSql(
  customerId: string,
  belongsToOther: (row: string) => string,
  tables: readonly (keyof typeof isPurchase)[] = ['Payment', 'Subscription', 'LicenseKey'],
): string {
  const exists = tables.map(
    (table) => `exists (select from "${table}" t
      where t."customerId" = ${customerId} and ${isPurchase[table]('t')} and ${belongsToOther('t')})`,
  )
  return `(${exists.join(' or ')})`
}

/** SQL: whether a row belongs to another user than this one, or to an organization. Without an owner, it does not. */
export function isOfAnotherUserSql(userId: string): (row: string) => string {
  return (row) => `(${row}."userId" <> ${userId} or ${row}."organizationId" is not null)`
}
