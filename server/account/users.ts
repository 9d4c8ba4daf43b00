import type { Pool } from 'pg'
import type { Prisma, User } from '../../prisma/client/client.ts'
import type { EmailSource } from '../../prisma/client/enums.ts'
import type { FullUser, SignUpEmail } from '../../shared/account.ts'
import { normalizeUsername } from '../../shared/identity.ts'
import type { LanguageId } from '../../shared/language.ts'
import { type EventParameters, recordSql } from '../event/event-rows.ts'
import { newId } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { withoutUndefined } from '../foundation/records.ts'
import { statement } from '../foundation/statement.ts'
import { daysBefore } from '../foundation/time.ts'
import { enqueueSql, type MailParameters } from '../mail/mail-rows.ts'

/** The `providerId` of a password account; its `accountId` is the user's id. */
export const credential = 'credential'

type NewUser = Pick<SignUpEmail, 'email' | 'name' | 'image' | 'username' | 'displayUsername'> & {
  now: Date
  language: LanguageId
  /** How the email address was set: verified by a provider, or entered by the user. */
  emailSource?: EmailSource
}

/** Builds a user for sign-up without storing it; also used as the response for an existing email address (SEC-20). */
export function newUser({ email, name, image, username, displayUsername, now, language, emailSource }: NewUser) {
  return {
    id: newId(),
    email,
    name,
    image: image ?? null,
    emailVerified: false,
    emailSource: emailSource ?? ('sign_up' as const),
    createdAt: now,
    updatedAt: now,
    username: username === undefined ? null : normalizeUsername(username),
    displayUsername: displayUsername ?? username ?? null,
    language,
    role: 'user' as const,
  }
}

/** Stores a new user without a sign-in method. */
export async function insertUser(
  tx: Tx,
  user: ReturnType<typeof newUser> & { emailVerified?: boolean },
): Promise<User> {
  return tx.user.create({ data: user })
}

/** The id of the user with this username, as typed. */
export async function findUserIdByUsername(db: Db, typed: string): Promise<string | undefined> {
  const owner = await db.user.findUnique({ where: { username: normalizeUsername(typed) }, select: { id: true } })
  return owner?.id
}

/**
 * Stores a new user, its password account, the verification email with its job, and the event in one statement. A crash
 * leaves all or nothing, with one round trip (Prisma's five-query transaction costs 2 ms more CPU; a hash costs 13).
 */
export async function createUserWithPassword(
  pool: Pool,
  user: ReturnType<typeof newUser>,
  { passwordHash, mail, event }: { passwordHash: string; mail: MailParameters; event: EventParameters },
): Promise<void> {
  await pool.query(insertWithPassword({ user, mail, event, accountId: newId(), passwordHash }))
}

const insertWithPassword = statement(
  'users.create',
  `with owner as (
    insert into "User" (id, email, name, image, username, "displayUsername", "emailVerified", "createdAt", "updatedAt", language, role)
    values (:user.id, :user.email, :user.name, :user.image, :user.username, :user.displayUsername, false,
      :user.createdAt, :user.createdAt, :user.language, :user.role)
    returning id),
  account as (
    insert into "Account" (id, "providerId", "accountId", "userId", password, "createdAt", "updatedAt")
    select :accountId, '${credential}', id, id, :passwordHash, :user.createdAt, :user.createdAt from owner),
  ${enqueueSql},
  ${recordSql({ from: 'owner' })}
  select count(*)::int from job`,
)

/** The user who is signing in, with the password hash if there is one. */
type UserWithPassword = FullUser & { password: string | null; passwordVersion: number }

/** Uses one prepared statement instead of Prisma's two reads (saves 1 ms of CPU per sign-in). */
export async function findUserWithPassword(
  pool: Pool,
  by: { email: string } | { username: string },
): Promise<UserWithPassword | undefined> {
  const { rows } = await pool.query<UserWithPassword>('email' in by ? byEmail(by) : byUsername(by))
  return rows[0]
}

const withPassword = `
  select u.id, u.email, u.name, u.image, u."emailVerified", u."createdAt", u."updatedAt", u.username,
    u."displayUsername", u.language, u.role, u.metadata, u."twoFactorEnabled", u."passwordVersion", a.password
  from "User" u left join "Account" a on a."userId" = u.id and a."providerId" = '${credential}'`
const byEmail = statement('users.by.email', `${withPassword} where u.email = :email`)
const byUsername = statement('users.by.username', `${withPassword} where u.username = :username`)

type Changes = {
  now: Date
  name?: string | undefined
  image?: string | null | undefined
  username?: string | undefined
  displayUsername?: string | undefined
  language?: number | undefined
  email?: string
  emailVerified?: boolean
  emailSource?: EmailSource
  previousEmail?: string | null
}

/** Updates the given fields; without a `displayUsername`, the username is displayed as entered. */
export async function updateUser(tx: Tx, id: string, { now, username, displayUsername, ...changes }: Changes) {
  const shown = displayUsername ?? username
  return tx.user.update({
    where: { id },
    data: {
      ...withoutUndefined(changes),
      ...(username !== undefined && { username: normalizeUsername(username) }),
      ...(shown !== undefined && { displayUsername: shown }),
      updatedAt: now,
    },
  })
}

/**
 * Marks an email address as verified, if the user still has it and it is not verified yet. Returns whether it was.
 * `isByProvider`: a provider verified it, and not its mailbox.
 */
export async function markEmailVerified(
  tx: Tx,
  { id, email, isByProvider, now }: { id: string; email: string; isByProvider: boolean; now: Date },
): Promise<boolean> {
  const { count } = await tx.user.updateMany({
    where: { id, email, emailVerified: false },
    data: {
      emailVerified: true,
      previousEmail: null,
      updatedAt: now,
      ...(isByProvider && { emailSource: 'provider' }),
    },
  })
  return count > 0
}

/** Marks the email address of a user as entered by its owner, who has just shown access to the mailbox. */
export async function setEmailSourceToSignUp(tx: Tx, id: string): Promise<void> {
  await tx.user.updateMany({ where: { id, emailSource: { not: 'sign_up' } }, data: { emailSource: 'sign_up' } })
}

/** The ban of a user. `bannedAt` is null if there is none, `banExpiresAt` if it does not end. */
type BanColumns = Pick<User, 'bannedAt' | 'banReason' | 'banExpiresAt'>

/** Sets or lifts the ban of a user. */
export async function setBan(tx: Tx, id: string, { now, ...ban }: BanColumns & { now: Date }): Promise<User> {
  return tx.user.update({ where: { id }, data: { ...ban, updatedAt: now } })
}

/** Replaces the given metadata of a user. */
export async function setMetadata(
  tx: Tx,
  id: string,
  { now, ...fields }: Pick<Prisma.UserUpdateInput, 'metadata' | 'privateMetadata'> & { now: Date },
): Promise<void> {
  await tx.user.update({ where: { id }, data: { ...fields, updatedAt: now } })
}

/** Stores a verified email address that an administrator gives up, so that a revocation also applies to it. */
export async function addFormerAdminEmail(tx: Tx, id: string, email: string): Promise<void> {
  await tx.$executeRaw`
    update "User" set "formerAdminEmails" = array_append("formerAdminEmails", ${email})
    where id = ${id} and not ${email} = any("formerAdminEmails")`
}

/**
 * Finds the user who holds an email address: a user with an unverified change away from it, for whom it stays reserved,
 * or the user with that address.
 */
export async function findUserByReservedEmail(db: Db, email: string): Promise<User | undefined> {
  const where = { OR: [{ email }, { previousEmail: email }] }
  const users = await db.user.findMany({ where, orderBy: { id: 'asc' }, take: 2 })
  return users.find((user) => user.previousEmail === email) ?? users[0]
}

/** The user with this email address, if it is verified. */
export async function findUserByVerifiedEmail(db: Db, email: string): Promise<User | null> {
  return db.user.findFirst({ where: { email, emailVerified: true } })
}

/** Finds the account that a mailbox can recover; none while a change to it is unverified, as it may be mistyped. */
export async function findRecoverable(db: Db, email: string): Promise<User | undefined> {
  const holder = await findUserByReservedEmail(db, email)
  return holder?.previousEmail === null || holder?.previousEmail === email ? holder : undefined
}

/** Deletes a user; sign-in methods first, in the lock order of a sign-in, to avoid deadlocks. */
export async function deleteUser(tx: Tx, id: string): Promise<User> {
  await tx.account.deleteMany({ where: { userId: id } })
  return tx.user.delete({ where: { id } })
}

/** Stores a hash with the current parameters, unless the password was changed in the meantime. */
export async function replaceHash(db: Db, userId: string, hashes: { old: string; new: string }): Promise<boolean> {
  const { count } = await db.account.updateMany({
    where: { userId, password: hashes.old },
    data: { password: hashes.new },
  })
  return count > 0
}

/**
 * Locks the holders of an email address, current or last verified, before anything else is locked: every transaction
 * locks users first.
 */
export async function lockUsersOfEmail(tx: Tx, email: string): Promise<void> {
  await tx.$queryRaw`
    select 1 from "User" where email = ${email} or "previousEmail" = ${email} order by id for no key update`
}

/** Whether an import created this account with its current email address. */
export function wasImported({ email, previousEmail, importedEmail }: User): boolean {
  return previousEmail === null && importedEmail === email
}

/** Days to keep an unverified account that was never used. */
export const unverifiedDays = 30

/**
 * Whether the account has ever been signed in to, is a member of an organization, or was imported. One that is older
 * than the retained events counts as used, because its history is unknown, if the sweep would have deleted it unused.
 */
export async function wasUsed(
  tx: Tx,
  { config, now }: { config: { eventRetentionDays: number }; now: Date },
  user: User,
): Promise<boolean> {
  const userId = user.id
  const { eventRetentionDays } = config
  const isSwept = eventRetentionDays >= unverifiedDays
  if (wasImported(user) || (isSwept && user.createdAt <= daysBefore(now, eventRetentionDays))) return true
  const [session, identity, member, signedIn] = [
    await tx.session.findFirst({ where: { userId }, select: { id: true } }),
    await tx.account.findFirst({ where: { userId, providerId: { not: credential } }, select: { id: true } }),
    await tx.member.findFirst({ where: { userId }, select: { id: true } }),
    await tx.event.findFirst({ where: { subjectId: userId, type: 'user.signed_in' }, select: { id: true } }),
  ]
  return [session, identity, member, signedIn].some((found) => found !== null)
}
