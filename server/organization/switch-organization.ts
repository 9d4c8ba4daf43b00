import type { z } from 'zod'
import { FullOrganization, type SetActiveOrganization } from '../../shared/organization.ts'
import { refuse } from '../foundation/refusal.ts'
import type { CallerContext } from '../request/context.ts'
import { setActiveOrganization } from '../session/sessions.ts'
import { keyOf, findFullOrganizationJson } from './organizations.ts'
import { requireSecondFactorOfMember } from './require-member.ts'

/** Sets the active organization of the session: null clears it; without any input, returns the current one. */
export async function switchOrganization(
  ctx: CallerContext,
  { organizationId, organizationSlug }: z.output<typeof SetActiveOrganization>,
) {
  const { session, user } = ctx
  const active = session.activeOrganizationId
  const switchTo = async (next: string | null) => {
    if (next === active) return
    await setActiveOrganization(ctx.db, session.id, next)
    await ctx.renewCookies({ session: { activeOrganizationId: next } })
  }
  if (organizationId === null && !organizationSlug) {
    await switchTo(null)
    return null
  }
  const key = keyOf(organizationSlug, organizationId ?? active)
  if (!key) return null
  const full = await findFullOrganizationJson(ctx.pool, key, user.id)
  if (!full) {
    if ('id' in key && key.id === active) await switchTo(null)
    refuse('NOT_A_MEMBER_FORBIDDEN')
  }
  await requireSecondFactorOfMember(ctx, full)
  await switchTo(full.id)
  return FullOrganization.parse(JSON.parse(full.text))
}
