import type { ActorContext } from './lock-members.ts'

/** Updates the browser's cached session after the caller has left the organization. */
export async function clearActiveOrganizationCookie(ctx: ActorContext, organizationId: string): Promise<void> {
  if (ctx.session.activeOrganizationId === organizationId) {
    await ctx.renewCookies({ session: { activeOrganizationId: null } })
  }
}
