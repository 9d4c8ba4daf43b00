import type { IncomingHttpHeaders } from 'node:http'
import type { FullUser } from '../../shared/account.ts'
import { isRole, type Role, roles, rolesOf } from '../../shared/permissions.ts'
import { isTrustedOriginHeader, maxTarget, withQuery } from '../../shared/redirect.ts'
import { isSecondFactorEnforced, sessionHasSecondFactor } from '../factor/assurance.ts'
import { findCookie } from '../foundation/cookies.ts'
import { hasSecretFormat, newSecret, sha256 } from '../foundation/crypto.ts'
import { refuse } from '../foundation/refusal.ts'
import { verifiedEmail } from '../foundation/verified-email.ts'
import { findOrganizationId } from '../organization/organizations.ts'
import { findEntitlements } from '../payment/subscriptions/entitlements.ts'
import type { Context } from '../request/context.ts'
import { extendIfDue } from '../session/session-lifetime.ts'
import type { FoundSession } from '../session/session-rows.ts'
import { findEmail, findGroupMembership, type GroupMembership, listGroupMemberships } from './memberships.ts'
import {
  cookieAttributes,
  findSessionByCookie,
  proxySessionCookie,
  requestCookie,
  requestSeconds,
} from './proxy-sessions.ts'

/** A proxy's description of the request that it is holding. */
type ForwardedRequest = {
  origin: string
  uri: string | undefined
  method: string
  /** Whether browsers send Foyer's cookie to this host: that of APP_URL, or one below COOKIE_DOMAIN. */
  receivesSessionCookie: boolean
}

/**
 * Reads the headers of a proxy. They are untrusted: the origin must be APP_URL or one of TRUSTED_ORIGINS. Without
 * `X-Forwarded-Host` the protected application is on the host of APP_URL.
 */
export function readForwardedRequest(
  { config }: Pick<Context, 'config'>,
  headers: IncomingHttpHeaders,
): ForwardedRequest {
  const one = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const host = one('x-forwarded-host')
  const proto = one('x-forwarded-proto') ?? new URL(config.appOrigin).protocol.slice(0, -1)
  const origin = host === undefined ? config.appOrigin : originOf(proto, host)
  if (origin === undefined || !isTrustedOriginHeader(origin, config)) refuse('INVALID_ORIGIN')
  const given = one('x-forwarded-uri')
  const isPath = given !== undefined && origin.length + given.length <= maxTarget && /^\/[!-[\]-~]*$/.test(given)
  const { hostname } = new URL(origin)
  const domain = config.cookieDomain
  const isShared = domain !== undefined && (hostname === domain || hostname.endsWith(`.${domain}`))
  return {
    origin,
    uri: isPath ? given : undefined,
    method: one('x-forwarded-method') ?? 'GET',
    receivesSessionCookie: origin === config.appOrigin || isShared,
  }
}

/** The origin of a forwarded request as browsers write it: in lower case, without the default port of its scheme. */
export function originOf(proto: string, host: string): string | undefined {
  if (!/^https?$/.test(proto) || !/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host)) return undefined
  const origin = `${proto}://${host}`
  return URL.canParse(origin) ? new URL(origin).origin : undefined
}

/** The answer to a proxy. */
type Access =
  | { status: 200; headers: Record<string, string> }
  | { status: 401 | 403 }
  | { status: 302; location: string; cookie: string | undefined }

/** The users who may pass, from the query in the proxy's configuration. */
type Rule = {
  /** Id or slug. A slug can be released, and then belong to another organization. */
  organization: string | undefined
  role: Role | undefined
  entitlement: string | undefined
  /** How `Remote-Groups` names organizations. */
  groups: 'slug' | 'id'
}

/**
 * Reads the rule. An empty, duplicate or unknown value is an error, because ignoring it could admit unintended users.
 */
export function readRule(query: Record<string, unknown>): Rule {
  const one = (name: string) => {
    const value = query[name]
    if (value !== undefined && (typeof value !== 'string' || value === '' || value.includes('\0')))
      refuse('INVALID_QUERY')
    return value
  }
  const role = one('role')
  if (role !== undefined && !isRole(role)) refuse('INVALID_QUERY')
  const groups = one('groups') ?? 'slug'
  if (groups !== 'slug' && groups !== 'id') refuse('INVALID_QUERY')
  return { organization: one('organization'), role, entitlement: one('entitlement'), groups }
}

/** Decides whether a request that a proxy forwards may pass. */
export async function checkAccess(
  ctx: Context,
  forwarded: ForwardedRequest,
  rule: Rule,
  wantsPage: boolean,
): Promise<Access> {
  const found = await findCaller(ctx, forwarded)
  // The application could not distinguish the administrator from the user, and might store the data it receives.
  if (found?.session.impersonatedBy !== undefined) return { status: 403 }
  if (found) return decide(ctx, found, rule)
  const canReturn = forwarded.uri !== undefined && /^(?:GET|HEAD)$/.test(forwarded.method) && wantsPage
  if (!canReturn) return { status: 401 }
  const target = `${forwarded.origin}${forwarded.uri}`
  if (forwarded.receivesSessionCookie) {
    const next = forwarded.origin === ctx.config.appOrigin ? (forwarded.uri ?? '/') : target
    return {
      status: 302,
      location: `${ctx.config.appOrigin}/sign-in?next=${encodeURIComponent(next)}`,
      cookie: undefined,
    }
  }
  // The browser that asks keeps the secret, because anyone who knows the code can use it. Two tabs share one secret.
  const sent = findCookie(ctx.cookieHeader, requestCookie)
  const secret = sent !== undefined && hasSecretFormat(sent) ? sent : newSecret()
  const start = withQuery('/api/forward-auth/start', { to: target, challenge: sha256(secret) })
  const cookie = `${requestCookie}=${secret}; Max-Age=${requestSeconds}; ${cookieAttributes}`
  return { status: 302, location: `${ctx.config.appOrigin}${start}`, cookie }
}

/** The browser's session: from Foyer's cookie on a host that receives it, from a proxy session on any other host. */
async function findCaller(
  ctx: Context,
  { origin, receivesSessionCookie: isOwnHost }: ForwardedRequest,
): Promise<FoundSession | undefined> {
  if (isOwnHost) {
    const caller = await ctx.caller()
    const { method = 'password', secondFactor = null } = caller ?? {}
    return caller && { ...caller, ban: { bannedAt: null, banExpiresAt: null }, method, secondFactor }
  }
  const found = await findSessionByCookie(ctx, findCookie(ctx.cookieHeader, proxySessionCookie), origin)
  // Activity in a protected application extends the session.
  if (found) await extendIfDue(ctx, found)
  return found
}

/**
 * Maximum organizations in `Remote-Groups`: with slugs of usual length 4 kB, which proxies accept as the size of a
 * header.
 */
const maxMemberships = 100

async function decide(ctx: Context, found: FoundSession, rule: Rule): Promise<Access> {
  const { user, session } = found
  const all = await listGroupMemberships(ctx.pool, { userId: user.id, limit: maxMemberships })
  // Members without the second factor that an organization requires are treated as non-members.
  const counts = (member: GroupMembership) => sessionHasSecondFactor(found) || !isSecondFactorEnforced(member, ctx.now)
  const memberships = all.filter(counts)
  const { organization, role, entitlement, groups } = rule
  const scopeId =
    organization === undefined ? session.activeOrganizationId : await findOrganizationId(ctx.db, organization)
  // The organization may be beyond those that are listed.
  const member = scopeId
    ? (all.find((one) => one.organizationId === scopeId) ??
      (await findGroupMembership(ctx.pool, { userId: user.id, organizationId: scopeId })))
    : undefined
  const scope = member && counts(member) ? member : undefined
  if (organization !== undefined && !scope) return { status: 403 }
  if (role !== undefined && !(scope && hasRole(scope.role, role))) return { status: 403 }
  if (entitlement !== undefined) {
    const owner = organization !== undefined && scope ? { organizationId: scope.organizationId } : { userId: user.id }
    const products = await findEntitlements(ctx, owner)
    if (!products.some(({ product }) => product === entitlement)) return { status: 403 }
  }
  return {
    status: 200,
    headers: headersOf({ ...user, email: await findVerifiedEmail(ctx, user) }, memberships, groups),
  }
}

/** Whether a list of roles contains this role or a higher one. The permission table lists them from the highest. */
function hasRole(owned: string, wanted: Role): boolean {
  return rolesOf(owned).some((role) => roles.indexOf(role) <= roles.indexOf(wanted))
}

/** The headers for the application. Always all four: a missing one would let the caller's own header pass. */
function headersOf(
  user: FullUser,
  memberships: readonly GroupMembership[],
  named: Rule['groups'],
): Record<string, string> {
  const groups = memberships.flatMap(({ role, organizationId, slug }) =>
    rolesOf(role).map((name) => `${named === 'id' ? groupName(organizationId) : slug}:${name}`),
  )
  return {
    'Remote-User': headerText(user.id),
    'Remote-Email': headerText(user.email),
    'Remote-Name': headerText(user.name),
    'Remote-Groups': groups.join(','),
  }
}

/**
 * The email address that the user has verified. Empty if there is none; the former one while a change is unverified.
 * Applications identify users by this address, and anyone can enter another person's.
 */
async function findVerifiedEmail({ db }: Context, { id, email, emailVerified }: FullUser): Promise<string> {
  if (emailVerified) return email
  const row = await findEmail(db, id)
  return (row && verifiedEmail(row)) ?? ''
}

/** An organization's id as the name of a group. Imported ids of earlier versions may contain any character. */
function groupName(id: string): string {
  return /^[!-$&-+\--~]+$/.test(id) ? id : encodeURIComponent(id)
}

/** Encodes text for a header: ASCII unchanged, everything else as percent-encoded UTF-8. */
function headerText(text: string): string {
  return /^[ -~]*$/.test(text) ? text : encodeURIComponent(text)
}
