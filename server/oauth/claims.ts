import type { FullUser } from '../../shared/account.ts'
import { languageById } from '../../shared/language.ts'
import type { App } from '../dependencies.ts'
import { assuranceLevels, isSecondFactorEnforced, sessionHasSecondFactor } from '../factor/assurance.ts'
import { statement } from '../foundation/statement.ts'
import { findEntitlements } from '../payment/subscriptions/entitlements.ts'

/** The user and session that claims are about. */
export type Subject = {
  user: FullUser
  session: { id: string; createdAt: Date; activeOrganizationId: string | null }
  method?: string | undefined
  secondFactor?: string | null | undefined
  /** The organization that a grant was limited to, instead of the session's active one. */
  organizationId?: string | null | undefined
}

/** An organization in a token, with the fields that a back end needs for authorization. */
type OrganizationClaim = { id: string; slug: string; role: string; teams: string[]; metadata?: unknown }

/** Claims about the user, as in OpenID Connect Core 1.0, 5.1. */
export function profileClaims({ email, emailVerified, name, image, language }: FullUser) {
  return { email, email_verified: emailVerified, name, picture: image, locale: languageById(language).code }
}

/** How the user signed in (RFC 8176), from the method of the session and its second step. */
export function amrOf({ method, secondFactor }: Pick<Subject, 'method' | 'secondFactor'>): string[] {
  const first = firstMethods[method ?? ''] ?? []
  const isSecondCode = secondFactor === 'totp' || secondFactor === 'recovery_code'
  if (isSecondCode) return [...new Set([...first, 'otp', 'mfa'])]
  if (secondFactor === 'email_code') return [...new Set([...first, 'otp'])]
  if (secondFactor === 'trusted_device') return [...first, 'mfa']
  return secondFactor === 'passkey' ? [...new Set([...first, ...(firstMethods['passkey'] ?? [])])] : first
}

export function acrOf(subject: Pick<Subject, 'secondFactor'>): string {
  return sessionHasSecondFactor(subject) ? assuranceLevels.two : assuranceLevels.one
}

const firstMethods: Record<string, string[]> = {
  password: ['pwd'],
  password_change: ['pwd'],
  // A passkey unlocked by its user counts as two factors.
  passkey: ['pop', 'user', 'mfa'],
  code: ['otp'],
  email_code: ['otp'],
  magic_link: ['otp'],
  verification_link: ['otp'],
  invitation: ['otp'],
}

/** All claims of a token for back ends, except those that signing adds. */
export async function findClaims(app: Pick<App, 'pool' | 'config' | 'clock'>, subject: Subject) {
  const { user, session, organizationId = session.activeOrganizationId } = subject
  const organization = organizationId === null ? undefined : await findOrganizationClaim(app, organizationId, subject)
  const deps = { pool: app.pool, config: app.config, now: app.clock() }
  const own = await findEntitlements(deps, { userId: user.id })
  const shared = organization ? await findEntitlements(deps, { organizationId: organization.id }) : []
  return {
    sid: session.id,
    ...profileClaims(user),
    ...(organization && { org: organization }),
    entitlements: [...new Set([...own, ...shared].map(({ product }) => product))].toSorted(),
    metadata: user.metadata,
    amr: amrOf(subject),
    acr: acrOf(subject),
    auth_time: Math.floor(session.createdAt.getTime() / 1000),
  }
}

/** One prepared statement: Prisma's typed read takes two, and half a millisecond of CPU more. */
async function findOrganizationClaim(
  { pool, clock }: Pick<App, 'pool' | 'clock'>,
  organizationId: string,
  { user: { id: userId }, secondFactor }: Subject,
): Promise<OrganizationClaim | undefined> {
  const { rows } = await pool.query<OrganizationRow>(organizationClaim({ organizationId, userId }))
  const [member] = rows
  if (!member) return undefined
  // The organization requires a stronger sign-in than this one.
  if (isSecondFactorEnforced(member, clock()) && !sessionHasSecondFactor({ secondFactor })) return undefined
  const { role, teamId, slug, metadata } = member
  const own = metadata !== null && { metadata }
  return { id: organizationId, slug, role, teams: teamId === null ? [] : [teamId], ...own }
}

const organizationClaim = statement(
  'claims.organization',
  `select m.role, m."teamId", o.slug, o.metadata, o."secondFactorFrom"
      from "Member" m join "Organization" o on o.id = m."organizationId"
      where m."organizationId" = :organizationId and m."userId" = :userId`,
)

type OrganizationRow = {
  role: string
  teamId: string | null
  slug: string
  metadata: unknown
  secondFactorFrom: Date | null
}
