import type { Tx } from '../foundation/database.ts'

/** A user and an application, with the organization that the application has named. */
type Connection = { userId: string; clientId: string; organizationId: string | null }

/**
 * The permissions of an application: the scopes, the APIs that it may call, and the redirect URI that codes are sent to.
 * Devices have none.
 */
export type RequestedAccess = { scopes: string[]; resources: string[]; redirectUri: string | undefined }

/** Stored in place of a redirect URI or an organization if there is none. */
const none = ''

/**
 * Whether the user has already granted an application all of these permissions, at this redirect URI and for this
 * organization. Without the scope `organization`, it receives none, and a consent for any will do.
 */
export async function hasConsented(
  tx: Tx,
  { userId, clientId, organizationId }: Connection,
  { scopes, resources, redirectUri = none }: RequestedAccess,
): Promise<boolean> {
  const receivesNone = organizationId === null && !scopes.includes('organization')
  const consent = await tx.oAuthConsent.findFirst({
    where: {
      userId,
      clientId,
      redirectUri,
      ...(!receivesNone && { organizationId: organizationId ?? none }),
      scopes: { hasEvery: scopes },
      resources: { hasEvery: resources },
    },
    select: { userId: true },
  })
  return consent !== null
}

/**
 * Records that the user has connected an application, and its permissions, which are added to those of earlier consents
 * at the same redirect URI and for the same organization. Returns whether the connection is new.
 */
export async function recordConsent(
  tx: Tx,
  { userId, clientId, organizationId }: Connection,
  { scopes, resources, redirectUri, now }: RequestedAccess & { now: Date },
): Promise<boolean> {
  const rows = await tx.$queryRaw<{ isNew: boolean }[]>`
    insert into "OAuthConsent" as c
      ("userId", "clientId", "redirectUri", "organizationId", scopes, resources, "createdAt", "lastUsedAt")
    values (${userId}, ${clientId}, ${redirectUri ?? none}, ${organizationId ?? none}, ${scopes}, ${resources}, ${now}, ${now})
    on conflict ("userId", "clientId", "redirectUri", "organizationId") do update set
      "lastUsedAt" = excluded."lastUsedAt",
      scopes = array(select distinct unnest(c.scopes || excluded.scopes) order by 1),
      resources = array(select distinct unnest(c.resources || excluded.resources) order by 1)
    returning c."createdAt" = ${now} and not exists (
      select from "OAuthConsent" earlier where earlier."userId" = ${userId} and earlier."clientId" = ${clientId}
    ) as "isNew"`
  return rows[0]?.isNew ?? false
}

/** A connected application, with the permissions of all consents. */
type ConnectedApp = {
  clientId: string
  name: string
  logo: string | null
  isFirstParty: boolean
  scopes: string[]
  resources: string[]
  createdAt: Date
  lastUsedAt: Date
}

/** The applications that a user has connected, most recently used first. */
export async function listConnectedApps(tx: Tx, userId: string): Promise<ConnectedApp[]> {
  return tx.$queryRaw<ConnectedApp[]>`
    select consent."clientId", client.name, client.logo, client."isFirstParty",
      coalesce(array_agg(distinct scope order by scope) filter (where scope is not null), '{}') as scopes,
      coalesce(array_agg(distinct resource order by resource) filter (where resource is not null), '{}') as resources,
      min(consent."createdAt") as "createdAt", max(consent."lastUsedAt") as "lastUsedAt"
    from "OAuthConsent" consent
    join "OAuthClient" client on client.id = consent."clientId"
    left join lateral unnest(consent.scopes) scope on true
    left join lateral unnest(consent.resources) resource on true
    where consent."userId" = ${userId}
    group by consent."clientId", client.id
    order by "lastUsedAt" desc, "clientId"
    limit 200`
}
