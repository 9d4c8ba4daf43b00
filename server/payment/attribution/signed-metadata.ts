import { type KeyList, verifySignature, sign } from '../../foundation/crypto.ts'
import type { BillingOwner } from '../billing-owner/billing-owner.ts'

/** The contents that our server signs into the metadata of a checkout: its owner, and the customer if known. */
type SignedCheckout = {
  owner: BillingOwner
  checkoutId: string
  /** Undefined for a static link, where the payer chooses the email address. */
  customerId: string | undefined
}

/**
 * Metadata that names the owner of a purchase, with a signature over it. A payer can edit the metadata of a static
 * link, and a caller can pass some, but neither can sign. All keys start with `foyer_`, which callers may not use.
 */
export function ownerMetadata(
  keys: KeyList,
  { owner, checkoutId, customerId }: SignedCheckout,
): Record<string, string> {
  const named = {
    foyer_owner: 'userId' in owner ? `user:${owner.userId}` : `organization:${owner.organizationId}`,
    foyer_checkout: checkoutId,
    ...(customerId !== undefined && { foyer_customer: customerId }),
  }
  return { ...named, foyer_proof: sign(keys, contentOf(named)) }
}

/** The checkout that the metadata names, if our server has signed it. */
export function readSignedCheckout(keys: KeyList, metadata: Record<string, unknown>): SignedCheckout | undefined {
  const {
    foyer_owner: named,
    foyer_checkout: checkoutId,
    foyer_customer: customerId,
    foyer_proof: signature,
  } = metadata
  if (typeof signature !== 'string' || typeof named !== 'string' || typeof checkoutId !== 'string') return undefined
  if (!verifySignature(keys, contentOf(metadata), signature)) return undefined
  // Imported ids may contain colons.
  const separator = named.indexOf(':')
  const id = named.slice(separator + 1)
  const owner = named.slice(0, separator) === 'user' ? { userId: id } : { organizationId: id }
  return { owner, checkoutId, customerId: typeof customerId === 'string' ? customerId : undefined }
}

function contentOf({
  foyer_owner: owner,
  foyer_checkout: checkout,
  foyer_customer: customer,
}: Record<string, unknown>): string {
  return JSON.stringify([owner, checkout, customer ?? null])
}
