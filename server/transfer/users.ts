import { Prisma } from '../../prisma/client/client.ts'
import { credential } from '../account/users.ts'
import type { Tx } from '../foundation/database.ts'

export type NewUserRow = {
  id: string
  email: string
  name: string
  image: string | null
  emailVerified: boolean
  username: string | null
  displayUsername: string | null
  language: number
  createdAt: Date
  bannedAt: Date | null
  banReason: string | null
  banExpiresAt: Date | null
  metadata: Record<string, unknown>
  privateMetadata: Record<string, unknown>
}
export type NewAccount = {
  id: string
  userId: string
  providerId: string
  accountId: string
  password: string | null
  createdAt: Date
}

type ExistingUser = {
  id: string
  email: string
  previousEmail: string | null
  username: string | null
  /** The address with which an import created the user. */
  importedEmail: string | null
  /** Whether the email address belongs to the user: verified, or imported. */
  ownsEmail: boolean
}

/**
 * The email address of a user was verified or imported. A mere sign-up does not count, because anyone can sign up with
 * any address.
 */
const isVerifiedOrImportedEmail = Prisma.sql`(u."emailVerified" or u."importedEmail" = u.email)`

/** Users who have one of these ids, email addresses (including one that is reserved for them) or usernames. */
export async function findExistingUsers(
  tx: Tx,
  { ids, emails, usernames }: { ids: string[]; emails: string[]; usernames: string[] },
): Promise<ExistingUser[]> {
  return tx.$queryRaw`
    select id, email, "previousEmail", username, "importedEmail", coalesce(${isVerifiedOrImportedEmail}, false) as "ownsEmail" from "User" u where id = any(${ids}) or email = any(${emails})
    union select id, email, "previousEmail", username, "importedEmail", coalesce(${isVerifiedOrImportedEmail}, false) from "User" u where "previousEmail" = any(${emails}) or username = any(${usernames})`
}

export type NamedUser = {
  id: string
  email: string
  previousEmail: string | null
  emailVerified: boolean
  /** Whether the email address belongs to the user: verified, or imported. */
  isOwn: boolean
}

/**
 * The users that member lines refer to, by id or by an email address that belongs to them, even while its change is
 * pending.
 */
export async function findNamedUsers(tx: Tx, named: string[]): Promise<NamedUser[]> {
  return tx.$queryRaw`
    select id, email, "previousEmail", "emailVerified", coalesce(${isVerifiedOrImportedEmail}, false) as "isOwn" from "User" u where id = any(${named}) or email = any(${named})
    union select id, email, "previousEmail", "emailVerified", coalesce(${isVerifiedOrImportedEmail}, false) from "User" u where "previousEmail" = any(${named})`
}

/** Which of these identities are taken, as `provider id` pairs joined by a space. */
export async function findTakenIdentities(
  tx: Tx,
  identities: readonly { providerId: string; accountId: string }[],
): Promise<Set<string>> {
  if (identities.length === 0) return new Set()
  const rows = await tx.$queryRaw<{ key: string }[]>`
    select a."providerId" || ' ' || a."accountId" as key from "Account" a
    join unnest(${identities.map(({ providerId }) => providerId)}::text[], ${identities.map(({ accountId }) => accountId)}::text[]) as i(provider, account)
      on a."providerId" = i.provider and a."accountId" = i.account`
  return new Set(rows.map(({ key }) => key))
}

/**
 * Stores users with their accounts. The operator, and not the users, entered their email addresses: that makes no user
 * an administrator (SEC-111), and a link to an unverified address asks first (SEC-110). Returns the ids of the users
 * that were stored, without those that were created concurrently.
 */
export async function insertUsers(
  tx: Tx,
  users: readonly NewUserRow[],
  accounts: readonly NewAccount[],
  now: Date,
): Promise<Set<string>> {
  if (users.length === 0) return new Set()
  const inserted = await tx.$queryRaw<{ id: string }[]>`
    insert into "User" (id, email, "emailSource", name, image, "emailVerified", username, "displayUsername", language, role, "createdAt", "updatedAt",
      "bannedAt", "banReason", "banExpiresAt", metadata, "privateMetadata", "importedEmail")
    select id, email, 'change', name, image, "emailVerified", username, "displayUsername", language, 'user', "createdAt", ${now}, "bannedAt", "banReason", "banExpiresAt",
      metadata, "privateMetadata", email
    from json_to_recordset(${JSON.stringify(users)}::json) as r(id text, email text, name text, image text, "emailVerified" boolean,
      username text, "displayUsername" text, language int, "createdAt" timestamptz, "bannedAt" timestamptz, "banReason" text, "banExpiresAt" timestamptz,
      metadata jsonb, "privateMetadata" jsonb)
    on conflict do nothing returning id`
  const ids = new Set(inserted.map(({ id }) => id))
  const own = accounts.filter(({ userId }) => ids.has(userId))
  if (own.length > 0) {
    await tx.$executeRaw`
      insert into "Account" (id, "userId", "providerId", "accountId", password, "createdAt", "updatedAt")
      select id, "userId", "providerId", "accountId", password, "createdAt", ${now}
      from json_to_recordset(${JSON.stringify(own)}::json) as r(id text, "userId" text, "providerId" text, "accountId" text, password text, "createdAt" timestamptz)
      on conflict do nothing`
  }
  return ids
}

/** Stores an organization with its teams, and without members. */
export async function insertImportedOrganization(
  tx: Tx,
  organization: Prisma.OrganizationUncheckedCreateInput,
  teams: Prisma.TeamCreateManyInput[],
): Promise<void> {
  await tx.organization.create({ data: organization })
  await tx.team.createMany({ data: teams })
}

/** Members of an organization stored per statement. */
const membersPerStatement = 5_000

export async function insertMembers(
  tx: Tx,
  organizationId: string,
  members: readonly { id: string; userId: string; role: string; teamId: string | null; createdAt: Date }[],
): Promise<void> {
  for (let at = 0; at < members.length; at += membersPerStatement) {
    await tx.$executeRaw`
      insert into "Member" (id, "organizationId", "userId", role, "teamId", "createdAt")
      select id, ${organizationId}, "userId", role, "teamId", "createdAt"
      from json_to_recordset(${JSON.stringify(members.slice(at, at + membersPerStatement))}::json)
        as r(id text, "userId" text, role text, "teamId" text, "createdAt" timestamptz)`
  }
}

/** Imports run one after the other: each would otherwise wait for rows that the other has just stored. */
export async function lockImports(tx: Tx): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('import'))`
}

/** A page of users for an export, by id, with their sign-in methods. */
export async function findUsersAfter(tx: Tx, id: string, limit: number) {
  const users = await tx.user.findMany({ where: { id: { gt: id } }, orderBy: { id: 'asc' }, take: limit })
  const accounts = await tx.account.findMany({
    where: { userId: { in: users.map((user) => user.id) } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return users.map((user) => {
    const own = accounts.filter(({ userId }) => userId === user.id)
    return {
      user,
      passwordHash: own.find(({ providerId }) => providerId === credential)?.password ?? null,
      identities: own.filter(({ providerId }) => providerId !== credential),
    }
  })
}

/** A page of organizations for an export, by id, with their teams. */
export async function findOrganizationsAfter(tx: Tx, id: string, limit: number) {
  return tx.organization.findMany({
    where: { id: { gt: id } },
    orderBy: { id: 'asc' },
    take: limit,
    include: {
      teams: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
      members: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
    },
  })
}

/** JSON for a column that may be NULL, as opposed to the JSON value null. */
export function jsonOrNull(value: Record<string, unknown> | null | undefined) {
  return value ? (value as Prisma.InputJsonObject) : Prisma.DbNull
}

export function jsonOrEmpty(value: Record<string, unknown> | null | undefined) {
  return (value ?? {}) as Prisma.InputJsonObject
}

/** Whether a team or a member with one of these ids exists. */
export async function areStored(tx: Tx, ids: { teams: string[]; members: string[] }): Promise<boolean> {
  const [found] = await tx.$queryRaw<{ isTaken: boolean }[]>`
    select exists (select from "Team" where id = any(${ids.teams}))
      or exists (select from "Member" where id = any(${ids.members})) as "isTaken"`
  return found?.isTaken ?? false
}
