import type { Tx } from '../foundation/database.ts'
import { withRelation } from '../foundation/lists.ts'

/** A user and an application, with the organization that the application has named. */
type Connection = { userId: string; clientId: string; organizationId: string | null }

/**
 * The permissions of an application: the scopes, the APIs that it may call, and the redirect URI that codes are sent to.
 * Devices have none.
 */
export type RequestedAccess = { scopes: string[]; resources: string[]; redirectUri: string | undefined }

/** Whether the user has already granted an application all of these permissions. */
export async function hasConsented(
  tx: Tx,
  { userId, clientId, organizationId }: Connection,
  { scopes, resources, redirectUri }: RequestedAccess,
): Promise<boolean> {
  const consent = await tx.oAuthConsent.findUnique({ where: { userId_clientId: { userId, clientId } } })
  if (consent === null) return false
  return (
    (redirectUri === undefined || consent.redirectUris.includes(redirectUri)) &&
    scopes.every((scope) => consent.scopes.includes(scope)) &&
    resources.every((resource) => consent.resources.includes(resource)) &&
    (organizationId === null || consent.organizationIds.includes(organizationId))
  )
}

/** Records that the user has connected an application, and its permissions. Returns whether the connection is new. */
export async function recordConsent(
  tx: Tx,
  { userId, clientId, organizationId }: Connection,
  { scopes, resources, redirectUri, now }: RequestedAccess & { now: Date },
) {
  const redirectUris = redirectUri === undefined ? [] : [redirectUri]
  const organizationIds = organizationId === null ? [] : [organizationId]
  const rows = await tx.$queryRaw<{ isNew: boolean }[]>`
    insert into "OAuthConsent" as c ("userId", "clientId", scopes, resources, "organizationIds", "redirectUris", "createdAt", "lastUsedAt")
    values (${userId}, ${clientId}, ${scopes}, ${resources}, ${organizationIds}, ${redirectUris}, ${now}, ${now})
    on conflict ("userId", "clientId") do update set "lastUsedAt" = excluded."lastUsedAt",
      scopes = array(select distinct unnest(c.scopes || excluded.scopes) order by 1),
      resources = array(select distinct unnest(c.resources || excluded.resources) order by 1),
      "organizationIds" = array(select distinct unnest(c."organizationIds" || excluded."organizationIds") order by 1),
      "redirectUris" = array(select distinct unnest(c."redirectUris" || excluded."redirectUris") order by 1)
    returning c."createdAt" = ${now} as "isNew"`
  return rows[0]?.isNew ?? false
}

/** The applications that a user has connected, most recently used first. */
export async function listConnectedApps(tx: Tx, userId: string) {
  const rows = await tx.oAuthConsent.findMany({
    where: { userId },
    include: { client: { select: { name: true, logo: true, isFirstParty: true } } },
    orderBy: [{ lastUsedAt: 'desc' }, { clientId: 'asc' }],
    take: 200,
  })
  return withRelation(rows, 'client').map(({ client, clientId, scopes, resources, createdAt, lastUsedAt }) => ({
    clientId,
    ...client,
    scopes,
    resources,
    createdAt,
    lastUsedAt,
  }))
}
