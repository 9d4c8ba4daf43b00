import type { Tx } from '../foundation/database.ts'

/**
 * Ends the access of one or all applications that a user has connected: consents, and everything issued to them.
 * Returns whether there was any.
 */
export async function endConnections(
  tx: Tx,
  { userId, clientId }: { userId: string; clientId?: string },
): Promise<boolean> {
  // Consents first: a request under way that uses one waits for them, in the same order.
  await tx.$queryRaw`
    select 1 from "OAuthConsent" where "userId" = ${userId} and (${clientId ?? null}::text is null or "clientId" = ${clientId ?? null})
    order by "clientId", "redirectUri", "organizationId", resource collate "C" for update`
  const where = { userId, ...(clientId !== undefined && { clientId }) }
  const consents = await tx.oAuthConsent.deleteMany({ where })
  const artifacts = await tx.oAuthArtifact.deleteMany({ where })
  return consents.count + artifacts.count > 0
}
