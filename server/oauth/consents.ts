import { Prisma } from '../../prisma/client/client.ts'
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
    coversOrganization(consent.organizationIds, organizationId, scopes)
  )
}

/** Stored for a request that names no organization: with the scope it receives whichever is active. */
const activeOne = ''

function coversOrganization(agreed: string[], organizationId: string | null, scopes: string[]): boolean {
  if (organizationId !== null) return agreed.includes(organizationId)
  // Consents from before this was recorded have none at all if no organization was named.
  return !scopes.includes('organization') || agreed.length === 0 || agreed.includes(activeOne)
}

/**
 * Records that the user has connected an application, and its permissions. Returns whether the connection is new.
 *
 * A consent is one set of permissions, at the redirect URIs where the user has agreed to all of them. Permissions that
 * are added at one URI are not agreed to at the others, which are dropped; at a new URI only what was asked there counts.
 */
export async function recordConsent(
  tx: Tx,
  { userId, clientId, organizationId }: Connection,
  { scopes, resources, redirectUri, now }: RequestedAccess & { now: Date },
) {
  const redirectUris = redirectUri === undefined ? [] : [redirectUri]
  const organizationIds = [organizationId ?? activeOne]
  const rows = await tx.$queryRaw<{ isNew: boolean }[]>`
    insert into "OAuthConsent" as c ("userId", "clientId", scopes, resources, "organizationIds", "redirectUris", "createdAt", "lastUsedAt")
    values (${userId}, ${clientId}, ${scopes}, ${resources}, ${organizationIds}, ${redirectUris}, ${now}, ${now})
    on conflict ("userId", "clientId") do update set "lastUsedAt" = excluded."lastUsedAt",
      scopes = ${agreed('scopes')}, resources = ${agreed('resources')}, "organizationIds" = ${agreed('"organizationIds"')},
      "redirectUris" = case when ${isKnown} and ${isWithin('excluded', 'c')} then c."redirectUris"
        when not ${isKnown} and ${isWithin('excluded', 'c')} and ${isWithin('c', 'excluded')} then c."redirectUris" || excluded."redirectUris"
        else excluded."redirectUris" end
    returning c."createdAt" = ${now} as "isNew"`
  return rows[0]?.isNew ?? false
}

/** Whether the user has been sent to the redirect URI before, in SQL. Devices have none. */
const isKnown = Prisma.raw('(excluded."redirectUris" <@ c."redirectUris")')

/** Whether the permissions of one row include no others than those of the other, in SQL. */
const isWithin = (one: string, other: string) =>
  Prisma.raw(
    `(${one}.scopes <@ ${other}.scopes and ${one}.resources <@ ${other}.resources and ${one}."organizationIds" <@ ${other}."organizationIds")`,
  )

/** The permissions from now on, in SQL: at a known redirect URI added to the former ones. */
const agreed = (column: string) =>
  Prisma.sql`case when ${isKnown} then ${Prisma.raw(`array(select distinct unnest(c.${column} || excluded.${column}) order by 1)`)} else ${Prisma.raw(`excluded.${column}`)} end`

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
