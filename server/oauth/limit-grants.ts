import type { Tx } from '../foundation/database.ts'
import { insertNoticesOfGrants } from './logout-notices.ts'

/** A user and an application. */
type UserClient = { userId: string; clientId: string }

/** The permissions of a grant as the issuer stores them: scopes as one text, those for an API below its URL. */
type Permissions = { scope: string; resources: Record<string, string | null> }

type Grant = Permissions & { grantId: string; organizationId: string | null }

type Consent = { organizationId: string; resource: string; scopes: string[] }

/**
 * Limits the grants of an application to what its user's consents still include, after consents have ended. A grant
 * ends if nothing is left of it. Access tokens that were issued before are valid until they expire. Fails if a grant is
 * in use at this moment, as when a lock cannot be had in time.
 */
export async function restrictGrantsToConsents(tx: Tx, connection: UserClient, now: Date): Promise<void> {
  // The consents are read after the grants were locked. A call that adds permissions to a grant has locked
  // or recorded the consent for them, and keeps it until they are added.
  const grants = await lockGrants(tx, connection)
  const consents = await tx.oAuthConsent.findMany({
    where: connection,
    select: { organizationId: true, resource: true, scopes: true },
  })
  const limited = grants.map((grant) => ({ grant, kept: remainingOf(grant, consents) }))
  await endGrants(tx, { grantIds: limited.flatMap(({ grant, kept }) => (kept ? [] : [grant.grantId])), now })
  const reduced = limited.flatMap(({ grant, kept }) => (kept && isLess(kept, grant) ? [{ grant, kept }] : []))
  if (reduced.length > 0) await reduceGrants(tx, reduced)
}

/**
 * Locks the grants with everything that was issued for them, without waiting: others lock these rows in other orders.
 * Grants that no session has yet are still being made.
 */
async function lockGrants(tx: Tx, { userId, clientId }: UserClient): Promise<Grant[]> {
  await tx.$queryRaw`
    select count(*) from (
      select 1 from "OAuthArtifact" a where a."grantId" in (
        select g."grantId" from "OAuthArtifact" g
        where g.kind = 'Grant' and g."userId" = ${userId} and g."clientId" = ${clientId})
      for update of a nowait) as locked`
  return tx.$queryRaw`
    select "grantId", "organizationId", coalesce(payload->'openid'->>'scope', '') as scope,
      coalesce(payload->'resources', '{}') as resources
    from "OAuthArtifact"
    where kind = 'Grant' and "userId" = ${userId} and "clientId" = ${clientId} and "sessionId" is not null`
}

/** What a grant keeps. Undefined if it ends. */
function remainingOf({ organizationId, scope, resources }: Grant, all: Consent[]): Permissions | undefined {
  const own = all.filter((consent) => organizationId === null || consent.organizationId === organizationId)
  if (own.length === 0) return undefined
  const keptFrom = (scopes: string, consents: Consent[]) => {
    const agreed = new Set(consents.flatMap((consent) => agreedScopes(consent, organizationId)))
    return scopes
      .split(' ')
      .filter((one) => agreed.has(one))
      .join(' ')
  }
  const kept = keptFrom(scope, own)
  // Without `openid`, the remaining scopes could not be used.
  const isUseless = (scope !== '' && kept === '') || (isOpenid(scope) && !isOpenid(kept))
  if (isUseless) return undefined
  const apis = Object.entries(resources).flatMap(([api, scopes]) => {
    const ofApi = own.filter(({ resource }) => resource === api)
    const left = keptFrom(scopes ?? '', ofApi)
    return left === '' ? [] : [[api, left]]
  })
  return { scope: kept, resources: Object.fromEntries(apis) }
}

/** The scope of organizations was agreed to for one of them, or for the active one. */
function agreedScopes(consent: Consent, organizationId: string | null): string[] {
  const isSame = consent.organizationId === (organizationId ?? '')
  return isSame ? consent.scopes : consent.scopes.filter((scope) => scope !== 'organization')
}

const isOpenid = (scopes: string) => scopes.split(' ').includes('openid')

const isLess = (kept: Permissions, { scope, resources }: Permissions) =>
  kept.scope !== scope || Object.entries(resources).some(([api, scopes]) => kept.resources[api] !== scopes)

async function endGrants(tx: Tx, { grantIds, now }: { grantIds: string[]; now: Date }): Promise<void> {
  if (grantIds.length === 0) return
  await insertNoticesOfGrants(tx, { grantIds, now })
  await tx.oAuthArtifact.deleteMany({ where: { grantId: { in: grantIds } } })
}

async function reduceGrants(tx: Tx, reduced: { grant: Grant; kept: Permissions }[]): Promise<void> {
  const kept = reduced.map(({ grant: { grantId }, kept: { scope, resources } }) => ({ grantId, scope, resources }))
  await tx.$executeRaw`
    update "OAuthArtifact" a set payload = a.payload
      || jsonb_build_object('openid', coalesce(a.payload->'openid', '{}') || jsonb_build_object('scope', kept.scope))
      || jsonb_build_object('resources', kept.resources)
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as kept("grantId" text, scope text, resources jsonb)
    where a.kind = 'Grant' and a."grantId" = kept."grantId"`
}
