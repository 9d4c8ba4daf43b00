/** The owner of a purchase. */
export type BillingOwner = { userId: string } | { organizationId: string }

/** An owner as the two columns of a row. */
export function billingOwnerColumns(owner: BillingOwner | undefined): {
  userId: string | null
  organizationId: string | null
} {
  return {
    userId: owner && 'userId' in owner ? owner.userId : null,
    organizationId: owner && 'organizationId' in owner ? owner.organizationId : null,
  }
}

/** The owner in the two columns of a row. Undefined if the row has none. */
export function billingOwnerOf(
  row: { userId: string | null; organizationId: string | null } | undefined,
): BillingOwner | undefined {
  if (row?.organizationId) return { organizationId: row.organizationId }
  return row?.userId ? { userId: row.userId } : undefined
}

/** An owner as the beginning of a key. */
export function billingOwnerKey(owner: BillingOwner): string {
  return 'userId' in owner ? `user-${owner.userId}` : `organization-${owner.organizationId}`
}

/** A page of an owner's rows, after the row with the id in `cursor`. */
export type BillingOwnerPage = { owner: BillingOwner; limit?: number | undefined; cursor?: string | undefined }
