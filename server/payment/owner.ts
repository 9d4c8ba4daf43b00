/** Whose a purchase is. */
export type Owner = { userId: string } | { organizationId: string }

/** An owner as the two columns that rows have. */
export function columnsOf(owner: Owner | undefined): { userId: string | null; organizationId: string | null } {
  return {
    userId: owner && 'userId' in owner ? owner.userId : null,
    organizationId: owner && 'organizationId' in owner ? owner.organizationId : null,
  }
}

/** An owner as the beginning of a key. */
export function ownerKey(owner: Owner): string {
  return 'userId' in owner ? `user-${owner.userId}` : `organization-${owner.organizationId}`
}
