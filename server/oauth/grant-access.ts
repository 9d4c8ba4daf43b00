import type { IncomingMessage } from 'node:http'
import type { Grant, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { App } from '../dependencies.ts'
import { record } from '../event/record.ts'
import { sessionHasSecondFactor } from '../factor/assurance.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { findMembership } from '../organization/members.ts'
import { findOrganizationId } from '../organization/organizations.ts'
import type { CallerContext, Context } from '../request/context.ts'
import { lockCaller, lockSession, lockUser } from '../session/locks.ts'
import { addToGrant, bindGrant, findGrant, findGrantId, type GrantBinding } from './artifact-store.ts'
import { findClientRow } from './clients.ts'
import { hasConsented, recordConsent, type RequestedAccess, touchConsent } from './consents.ts'
import type { IssuerErrors } from './load-oidc-provider.ts'
import { callerOf, contexts, isFirstParty, isPublicLoopbackClient } from './read-issuer-caller.ts'

/** The session id in the tokens of a request: that of the session which the grant came from first. */
export const sids = new WeakMap<IncomingMessage, string>()

/**
 * The organization that a request names, by slug or id. Null if it names none, undefined if the user is not a member of
 * it. Call it outside a transaction: it uses another connection.
 */
export async function chosenOrganization(app: App, named: unknown, userId: string): Promise<string | null | undefined> {
  if (named === undefined) return null
  if (typeof named !== 'string' || named === '' || named.includes('\0')) return undefined
  const organizationId = await findOrganizationId(app.db, named)
  if (organizationId === undefined) return undefined
  return (await findMembership(app.pool, { organizationId, userId }))?.organizationId
}

/** Adds the requested permissions to a grant in memory, for the rest of the request. */
function extendGrant(grant: Grant, { scopes, resources }: Pick<RequestedAccess, 'scopes' | 'resources'>): void {
  grant.addOIDCScope(scopes.join(' '))
  for (const resource of resources) grant.addResourceScope(resource, scopes.join(' '))
}

/**
 * The grant of this session for the client. Created without a question if the user has consented before, or no consent
 * is needed.
 */
export async function loadGrant(app: App, koa: KoaContextWithOIDC, errors: IssuerErrors): Promise<Grant | undefined> {
  const { client, result, params = {}, provider } = koa.oidc
  const caller = await callerOf(koa)
  if (!caller || !client) return undefined
  const { Grant } = provider
  const userId = caller.user.id
  const organizationId = await chosenOrganization(app, params['organization'], userId)
  if (organizationId === undefined) throw new errors.AccessDenied('not a member of the organization')
  const { id: sessionId } = caller.session
  const owner = {
    userId,
    sessionId,
    clientId: client.clientId,
    organizationId,
    createdWithSecondFactor: sessionHasSecondFactor(caller),
  }
  const grantId = result?.consent?.grantId ?? (await findGrantId(app, owner))
  const grant = grantId === undefined ? undefined : await Grant.find(grantId)
  const stored = grantId === undefined ? null : await findGrant(app, grantId)
  if (stored?.sid !== undefined) sids.set(koa.req, stored.sid)
  const wanted = {
    scopes: [...koa.oidc.requestParamScopes],
    resources: Object.keys(koa.oidc.resourceServers ?? {}),
    redirectUri: typeof params['redirect_uri'] === 'string' ? params['redirect_uri'] : undefined,
  }
  const ctx = contexts.get(koa.req)
  if (ctx && !isPublicLoopbackClient(koa)) {
    const access = { grant, owner, wanted }
    if (isFirstParty(client)) {
      return grantOfRequest(
        koa,
        await saveGrant(ctx, provider, access, async (tx) => {
          await lockUser(tx, userId)
          return (await lockSession(tx, sessionId, caller.sessionToken)) !== undefined && connect(tx, ctx, access)
        }),
      )
    }
    if (await hasConsented(app.db, owner, wanted)) {
      const used = async (tx: Tx) =>
        // Before the consent, as everywhere: ending a session ends its grants.
        (await lockSession(tx, sessionId, caller.sessionToken)) !== undefined &&
        touchConsent(tx, owner, { ...wanted, now: ctx.now })
      return grantOfRequest(koa, await saveGrant(ctx, provider, access, used))
    }
  }
  // Otherwise a grant of this session could have more than its user has agreed to at this redirect URI.
  return result?.consent !== undefined || isFirstParty(client) ? grant : undefined
}

/** The grant of a request. A new one may have replaced that of another session, which has ended. */
function grantOfRequest(koa: KoaContextWithOIDC, saved: SavedGrant | undefined): Grant | undefined {
  if (saved?.isNew) sids.delete(koa.req)
  return saved?.made
}

/**
 * Grants an application the access that its user has agreed to, and records it as connected. Refused if the session has
 * ended since the request began.
 */
export async function allowAccess(ctx: CallerContext, provider: Provider, access: Access): Promise<Grant> {
  const saved = await saveGrant(ctx, provider, access, async (tx) => {
    await lockCaller(tx, ctx)
    if (!(await lockSession(tx, ctx.session.id, ctx.sessionToken))) refuse('UNAUTHORIZED')
    return connect(tx, ctx, access)
  })
  return saved?.made ?? refuse('INTERACTION_EXPIRED')
}

type Access = { grant?: Grant | undefined; owner: GrantBinding; wanted: RequestedAccess }

type SavedGrant = { made: Grant; isNew: boolean }

/** The grant has ended since it was read. */
class GrantEnded extends Error {}

/**
 * Gives a grant of a session its permissions, or a new one if there is none or it has ended meanwhile. `agree` locks or
 * records the consent in the same transaction, so that consents which end at the same time end the permissions, too
 * (limit-grants.ts). If it returns false, nothing is changed.
 */
async function saveGrant(
  ctx: Context,
  provider: Provider,
  { grant, owner, wanted }: Access,
  agree: (tx: Tx) => Promise<boolean>,
): Promise<SavedGrant | undefined> {
  const made = grant ?? (await newGrant(ctx, provider, owner))
  const saving = transaction(ctx, async (tx) => {
    if (!(await agree(tx))) return false
    if (!(await addToGrant(tx, made.jti, wanted))) throw new GrantEnded()
    return true
  })
  try {
    if (await saving) {
      extendGrant(made, wanted)
      return { made, isNew: grant === undefined }
    }
  } catch (error) {
    if (!grant) await made.destroy()
    if (error instanceof GrantEnded) return saveGrant(ctx, provider, { owner, wanted }, agree)
    throw error
  }
  // A former one is in use.
  if (!grant) await made.destroy()
  return undefined
}

/** A grant of a session without permissions. */
async function newGrant(ctx: Context, provider: Provider, owner: GrantBinding): Promise<Grant> {
  const made = new provider.Grant({ accountId: owner.userId, clientId: owner.clientId })
  if (await bindGrant(ctx, await made.save(), owner)) return made
  // The application was removed in the same moment.
  return newGrant(ctx, provider, owner)
}

/** Records an application as connected. */
async function connect(tx: Tx, ctx: Context, { owner, wanted }: Access): Promise<true> {
  const { userId: actorId, clientId } = owner
  if (await recordConsent(tx, owner, { ...wanted, now: ctx.now })) {
    const client = await findClientRow(tx, clientId)
    await record(tx, ctx, { type: 'user.app_connected', actorId, data: { clientId, name: client?.name ?? clientId } })
  }
  return true
}
