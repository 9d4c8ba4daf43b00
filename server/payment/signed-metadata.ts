import { type KeyList, isSignature, sign } from '../foundation/crypto.ts'
import type { Owner } from './owner.ts'

/** What our server puts into a purchase's metadata; the person who pays can edit a static link, but sign nothing. */
type Named = { owner: Owner; hasOwnCustomer: boolean }

/**
 * Metadata that says whose a purchase is, with a signature over it. `hasOwnCustomer`: the provider's customer was made for this
 * organization alone, so everything of that customer is the organization's.
 */
export function ownerMetadata(keys: KeyList, { owner, hasOwnCustomer }: Named): Record<string, string> {
  const named: Record<string, string> =
    'userId' in owner ? { user_id: owner.userId } : { organization_id: owner.organizationId }
  const own: Record<string, string> = hasOwnCustomer ? { own_customer: 'yes' } : {}
  return { ...named, ...own, owner_proof: sign(keys, contentOf({ ...named, ...own })) }
}

/** Whom the metadata names, if our server has signed it; nobody else's word makes an owner. */
export function readOwner(keys: KeyList, metadata: Record<string, unknown>): Named | undefined {
  const { user_id: userId, organization_id: organizationId, own_customer: own, owner_proof: proof } = metadata
  if (typeof proof !== 'string' || !isSignature(keys, contentOf(metadata), proof)) return undefined
  const hasOwnCustomer = own === 'yes'
  if (typeof organizationId === 'string') return { owner: { organizationId }, hasOwnCustomer }
  return typeof userId === 'string' ? { owner: { userId }, hasOwnCustomer } : undefined
}

function contentOf({
  user_id: userId,
  organization_id: organizationId,
  own_customer: own,
}: Record<string, unknown>): string {
  return JSON.stringify([userId ?? null, organizationId ?? null, own ?? null])
}
