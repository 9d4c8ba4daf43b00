import { Prisma } from '../../prisma/client/client.ts'
import type { Db, Tx } from '../foundation/database.ts'

/** A user and an application, with the organization that the application has named. */
type ConnectedClient = { userId: string; clientId: string; organizationId: string | null }

/**
 * The permissions of an application: the scopes, the APIs that it may call, and the redirect URI that codes are sent
 * to. Devices have none.
 */
export type RequestedAccess = { scopes: string[]; resources: string[]; redirectUri: string | undefined }

/** Stored in place of a redirect URI, an organization or an API if there is none. */
const none = ''

/**
 * The consents that include the requested scopes, at this redirect URI and for this organization, and for each
 * requested API a consent to these scopes for it. Without an API, the scopes may have been agreed to together with one.
 * An application that neither names an organization nor requests the scope receives none, and a consent for any will
 * do.
 */
function coveringSql(
  { userId, clientId, organizationId }: ConnectedClient,
  { scopes, resources, redirectUri = none }: RequestedAccess,
) {
  const receivesNone = organizationId === null && !scopes.includes('organization')
  return Prisma.sql`"userId" = ${userId} and "clientId" = ${clientId} and "redirectUri" = ${redirectUri}
    and (${receivesNone} or "organizationId" = ${organizationId ?? none}) and scopes @> ${scopes}
    and (${resources.length === 0} or resource = any(${resources}))`
}

function coversAll(rows: { resource: string }[], resources: readonly string[]): boolean {
  return rows.length > 0 && resources.every((one) => rows.some(({ resource }) => resource === one))
}

/** Whether the user has already granted an application all of these permissions. */
export async function hasConsented(db: Db, connection: ConnectedClient, access: RequestedAccess): Promise<boolean> {
  // A request without scopes asks for nothing.
  if (access.scopes.length === 0) return false
  const rows = await db.$queryRaw<{ resource: string }[]>`
    select resource from "OAuthConsent" where ${coveringSql(connection, access)}`
  return coversAll(rows, access.resources)
}

/**
 * Records that a consent was used. Returns whether it still covers all of these permissions: it waits for a removal of
 * the application, and adds nothing.
 */
export async function touchConsent(
  tx: Tx,
  connection: ConnectedClient,
  { now, ...access }: RequestedAccess & { now: Date },
): Promise<boolean> {
  // Locked in the order in which `recordConsent` inserts them, and `endConnections` locks them.
  const rows = await tx.$queryRaw<{ resource: string }[]>`
    with held as (
      select * from "OAuthConsent" where ${coveringSql(connection, access)}
      order by "organizationId", resource collate "C" for no key update)
    update "OAuthConsent" c set "lastUsedAt" = ${now} from held
    where c."userId" = held."userId" and c."clientId" = held."clientId" and c."redirectUri" = held."redirectUri"
      and c."organizationId" = held."organizationId" and c.resource = held.resource
    returning c.resource`
  return coversAll(rows, access.resources)
}

/**
 * Records that the user has connected an application, and its permissions, which are added to those of earlier consents
 * at the same redirect URI, for the same organization and the same API. Returns whether the connection is new.
 */
export async function recordConsent(
  tx: Tx,
  { userId, clientId, organizationId }: ConnectedClient,
  { scopes, resources, redirectUri, now }: RequestedAccess & { now: Date },
): Promise<boolean> {
  const each = resources.length === 0 ? [none] : [...new Set(resources)].toSorted()
  const rows = await tx.$queryRaw<{ isNew: boolean }[]>`
    insert into "OAuthConsent" as c
      ("userId", "clientId", "redirectUri", "organizationId", resource, scopes, "createdAt", "lastUsedAt")
    select ${userId}, ${clientId}, ${redirectUri ?? none}, ${organizationId ?? none}, resource, ${scopes},
      ${now}::timestamptz, ${now}::timestamptz
    from unnest(${each}::text[]) as resource
    on conflict ("userId", "clientId", "redirectUri", "organizationId", resource) do update set
      "lastUsedAt" = excluded."lastUsedAt",
      scopes = array(select distinct unnest(c.scopes || excluded.scopes) order by 1)
    returning c."createdAt" = ${now} and not exists (
      select from "OAuthConsent" earlier where earlier."userId" = ${userId} and earlier."clientId" = ${clientId}
    ) as "isNew"`
  return rows.some(({ isNew }) => isNew)
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
export async function listConnectedApps(db: Db, userId: string): Promise<ConnectedApp[]> {
  return db.$queryRaw<ConnectedApp[]>`
    select consent."clientId", client.name, client.logo, client."isFirstParty",
      coalesce(array_agg(distinct scope order by scope) filter (where scope is not null), '{}') as scopes,
      coalesce(array_agg(distinct resource order by resource) filter (where resource <> ''), '{}') as resources,
      min(consent."createdAt") as "createdAt", max(consent."lastUsedAt") as "lastUsedAt"
    from "OAuthConsent" consent
    join "OAuthClient" client on client.id = consent."clientId"
    left join lateral unnest(consent.scopes) scope on true
    where consent."userId" = ${userId}
    group by consent."clientId", client.id
    order by "lastUsedAt" desc, "clientId"
    limit 200`
}

/** A consent for an organization that has been deleted. */
const isOrphaned = Prisma.sql`"organizationId" <> ''
  and not exists (select from "Organization" o where o.id = "organizationId")`

export type UserClient = { userId: string; clientId: string }

/** Users and applications with consents for organizations that have been deleted, in order, after the given ones. */
export async function listOrphaned(db: Db, after: UserClient, limit: number): Promise<UserClient[]> {
  return db.$queryRaw`
    select distinct "userId", "clientId" from "OAuthConsent"
    where ("userId", "clientId") > (${after.userId}, ${after.clientId}) and ${isOrphaned}
    order by "userId", "clientId" limit ${limit}`
}

/** Deletes such consents of one user and application, in the order in which others lock several. Returns how many. */
export async function deleteOrphaned(tx: Tx, { userId, clientId }: UserClient, limit: number): Promise<number> {
  return tx.$executeRaw`
    delete from "OAuthConsent" where ctid = any(array(
      select ctid from "OAuthConsent" where "userId" = ${userId} and "clientId" = ${clientId} and ${isOrphaned}
      order by "redirectUri", "organizationId", resource collate "C" limit ${limit} for update))`
}
