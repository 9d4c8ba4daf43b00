import type { z } from 'zod'
import type { FullOrganization, GetFullOrganization } from '../../shared/organization.ts'
import { refuse } from '../foundation/refusal.ts'
import { jsonText } from '../procedure/json-text.ts'
import { findFullOrganizationJson, isSameOrganization, keyOf } from './organizations.ts'
import { requireSecondFactorOfMember, type SignedInContext } from './require-member.ts'

/**
 * The organization that is named, or else the active one of the session, with its members, teams and invitations. Null
 * if there is none; an unknown one gets the same error as one the caller is not in.
 */
export async function readFullOrganization(
  ctx: SignedInContext,
  { organizationSlug, organizationId }: z.output<typeof GetFullOrganization>,
) {
  const key = keyOf(organizationSlug, organizationId ?? ctx.session.activeOrganizationId)
  if (!key) return null
  // A key of an organization reads that one only. It is not told which others its user belongs to.
  const limit = ctx.verifiedCredential?.kind === 'api_key' ? ctx.verifiedCredential.organizationId : null
  if (limit !== null && !(await isSameOrganization(ctx.db, limit, key))) refuse('INSUFFICIENT_SCOPE')
  const full = (await findFullOrganizationJson(ctx.pool, key, ctx.user.id)) ?? refuse('NOT_A_MEMBER_FORBIDDEN')
  await requireSecondFactorOfMember(ctx, full)
  return jsonText<z.output<typeof FullOrganization>>(full.text)
}
