import type { IncomingMessage } from 'node:http'
import type { Grant, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { App } from '../dependencies.ts'
import type { Tx } from '../foundation/database.ts'
import { statementsOf, transaction } from '../foundation/transactions.ts'
import { record } from '../event/record.ts'
import { isStrong } from '../factor/assurance.ts'
import { findOrganizationId } from '../organization/organizations.ts'
import type { CallerContext, Context } from '../request/context.ts'
import { lockCaller, lockUser } from '../session/locks.ts'
import { addToGrant, bindGrant, findGrant, findGrantId, type GrantOwner } from './artifacts.ts'
import { hasConsented, recordConsent, type RequestedAccess, useConsent } from './consents.ts'
import { limitGrants } from './limit-grants.ts'
import type { IssuerErrors } from './package.ts'
import { callerOf, contexts, isFirstParty, isUnassured } from './read-issuer-caller.ts'

/** The session id in the tokens of a request: that of the session which the grant came from first. */
export const sids = new WeakMap<IncomingMessage, string>()

/**
 * The organization that a request names, by slug or id. Null if it names none, undefined if the user is not a member of
 * it.
 */
export async function chosenOrganization(app: App, named: unknown, userId: string): Promise<string | null | undefined> {
  if (named === undefined) return null
  if (typeof named !== 'string' || named === '' || named.includes('\0')) return undefined
  const organizationId = await findOrganizationId(app.db, named)
  if (organizationId === undefined) return undefined
  const where = { organizationId_userId: { organizationId, userId } }
  const member = await app.db.member.findUnique({ where, select: { organizationId: true } })
  return member?.organizationId
}

/** Adds the requested permissions to a grant. Returns false if it already had them. */
function extendGrant(grant: Grant, { scopes, resources }: Pick<RequestedAccess, 'scopes' | 'resources'>): boolean {
  const before = JSON.stringify([grant.openid, grant.resources])
  grant.addOIDCScope(scopes.join(' '))
  for (const resource of resources) grant.addResourceScope(resource, scopes.join(' '))
  return JSON.stringify([grant.openid, grant.resources]) !== before
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
  const owner = { userId, sessionId, clientId: client.clientId, organizationId, isStrong: isStrong(caller) }
  const grantId = result?.consent?.grantId ?? (await findGrantId(app, owner))
  const grant = grantId === undefined ? undefined : await Grant.find(grantId)
  const { sid } = grantId === undefined ? {} : await findGrant(app, grantId)
  if (sid !== undefined) sids.set(koa.req, sid)
  const wanted = {
    scopes: [...koa.oidc.requestParamScopes],
    resources: Object.keys(koa.oidc.resourceServers ?? {}),
    redirectUri: typeof params['redirect_uri'] === 'string' ? params['redirect_uri'] : undefined,
  }
  const ctx = contexts.get(koa.req)
  if (ctx && !isUnassured(koa)) {
    if (isFirstParty(client)) return madeFor(koa, await makeGrant(ctx, provider, { grant, owner, wanted }))
    if (await hasConsented(app.db, owner, wanted)) {
      const saved = await saveGrant(ctx, provider, { grant, owner, wanted })
      // In this order: a removal of the application that is under way either ends the grant, too, or has deleted the
      // consent, which this waits for.
      const isCovered = await orUndo(useConsent(ctx.db, owner, { ...wanted, now: ctx.now }), saved)
      if (isCovered) return madeFor(koa, saved)
      await undo(saved)
      // The permissions may have been added to a grant that has just lost them.
      if (!saved.isNew) await limitAgain(ctx, owner)
      return undefined
    }
  }
  // Otherwise a grant of this session could have more than its user has agreed to at this redirect URI.
  return result?.consent !== undefined || isFirstParty(client) ? grant : undefined
}

/** The grant of a request. A new one may have replaced that of another session, which has ended. */
function madeFor(koa: KoaContextWithOIDC, { made, isNew }: Saved): Grant {
  if (isNew) sids.delete(koa.req)
  return made
}

type Access = { grant?: Grant | undefined; owner: GrantOwner; wanted: RequestedAccess }

type Saved = { made: Grant; isNew: boolean }

/** Creates or extends a grant of a session. One that has ended meanwhile, with everything issued for it, is replaced. */
async function saveGrant(ctx: Context, provider: Provider, { grant, owner, wanted }: Access): Promise<Saved> {
  if (grant) {
    const isChanged = extendGrant(grant, wanted)
    if (!isChanged || (await addToGrant(ctx.pool, grant.jti, wanted))) return { made: grant, isNew: false }
  }
  const made = new provider.Grant({ accountId: owner.userId, clientId: owner.clientId })
  extendGrant(made, wanted)
  if (await bindGrant(ctx, await made.save(), owner)) return { made, isNew: true }
  return saveGrant(ctx, provider, { owner, wanted })
}

/** Limits the grants of a user and application once more. */
async function limitAgain(ctx: Context, { userId, clientId }: GrantOwner): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockUser(tx, userId)
    await limitGrants(tx, [{ userId, clientId }], ctx.now)
  })
}

/** Removes a grant that must not stay. A former one is in use, and tokens have no more than what their request named. */
async function undo({ made, isNew }: Saved): Promise<void> {
  if (isNew) await made.destroy()
}

async function orUndo<Result>(work: Promise<Result>, saved: Saved): Promise<Result> {
  try {
    return await work
  } catch (error) {
    await undo(saved)
    throw error
  }
}

/** Grants a first party access, and records it as connected. */
async function makeGrant(ctx: Context, provider: Provider, access: Access): Promise<Saved> {
  return saveRecorded(ctx, provider, { access, lock: (tx) => lockUser(tx, access.owner.userId) })
}

/**
 * Grants an application the access that its user has agreed to, and records it as connected. Refused if the session has
 * ended since the request began.
 */
export async function allowAccess(ctx: CallerContext, provider: Provider, access: Access): Promise<Grant> {
  const { made } = await saveRecorded(ctx, provider, { access, lock: (tx) => lockCaller(tx, ctx) })
  return made
}

type Recording = { access: Access; lock: (tx: Tx) => Promise<unknown> }

/**
 * Saves a grant and records the consent that it comes from. Meanwhile, the grant may have been limited to earlier
 * consents, or have ended with them (limit-grants.ts): under the user's lock, it gets the permissions once more, or is
 * saved anew.
 */
async function saveRecorded(ctx: Context, provider: Provider, { access, lock }: Recording): Promise<Saved> {
  const saved = await saveGrant(ctx, provider, access)
  const recording = transaction(ctx, async (tx) => {
    await lock(tx)
    await connect(tx, ctx, access)
    if (!(await addToGrant(statementsOf(tx), saved.made.jti, access.wanted))) throw new GrantEnded()
  })
  try {
    await orUndo(recording, saved)
    return saved
  } catch (error) {
    if (!(error instanceof GrantEnded)) throw error
    const { owner, wanted } = access
    return saveRecorded(ctx, provider, { access: { owner, wanted }, lock })
  }
}

/** The grant ended before its consent was recorded. */
class GrantEnded extends Error {}

async function connect(tx: Tx, ctx: Context, { owner, wanted }: Access): Promise<void> {
  const { userId: actorId, clientId } = owner
  if (!(await recordConsent(tx, owner, { ...wanted, now: ctx.now }))) return
  const client = await tx.oAuthClient.findUnique({ where: { id: clientId }, select: { name: true } })
  await record(tx, ctx, { type: 'user.app_connected', actorId, data: { clientId, name: client?.name ?? clientId } })
}
