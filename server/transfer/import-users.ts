import { DisplayUsername } from '../../shared/account.ts'
import { normalizeUsername, usernameProblem, localPart } from '../../shared/identity.ts'
import { english, languageByCode } from '../../shared/language.ts'
import { isProvider } from '../../shared/provider.ts'
import { PictureUrl } from '../../shared/schema.ts'
import type { UserLine } from '../../shared/transfer.ts'
import { credential } from '../account/users.ts'
import type { App } from '../dependencies.ts'
import { type EventOrigin } from '../event/event-rows.ts'
import { recordAll } from '../event/record.ts'
import { newId } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import { hashProblem } from '../foundation/imported-hashes.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Numbered, Outcome } from './outcome.ts'
import {
  findExistingUsers,
  findTakenIdentities,
  insertUsers,
  lockImports,
  type NewAccount,
  type NewUserRow,
} from './users.ts'

const problems = {
  UNKNOWN_HASH: 'unknown password hash format: the user has to reset the password',
  HASH_TOO_COSTLY: 'the cost of the password hash exceeds the limit: the user has to reset the password',
}

type Prepared = { outcome: Outcome; user: NewUserRow; accounts: NewAccount[] }

/**
 * Imports users in one transaction. Existing users, by id or email address, stay unchanged. Fields of a user that
 * cannot be imported are left out and noted. A `dryRun` makes the same decisions and stores nothing.
 */
export async function importUsers(
  app: App & EventOrigin,
  lines: readonly Numbered<UserLine>[],
  { dryRun, dryRunValues }: { dryRun: boolean; dryRunValues: UsedValues },
): Promise<Outcome[]> {
  return transaction(app, async (tx) => {
    await lockImports(tx)
    // A dry run keeps the values that it would have stored in memory.
    const used = dryRun ? dryRunValues : noUsedValues()
    const existing = await findExisting(tx, lines, used)
    const decided = lines.map((line) => decide(line, { now: app.now, used, existing }))
    if (!dryRun) {
      const prepared = decided.flatMap((one) => ('user' in one ? [one] : []))
      await store(tx, app, prepared)
    }
    return decided.map(({ outcome }) => outcome)
  })
}

type Existing = {
  /** The email address that each user was imported with, by id. */
  imported: ReadonlyMap<string, string | null>
  /** Email addresses that users have entered themselves and not verified. */
  unownedEmails: ReadonlySet<string>
}

/** Finds the users that the lines could be about, and adds their values to the used ones. */
async function findExisting(tx: Tx, lines: readonly Numbered<UserLine>[], used: UsedValues): Promise<Existing> {
  const users = await findExistingUsers(tx, {
    ids: lines.flatMap(({ value: { id } }) => id ?? []),
    emails: lines.map(({ value: { email } }) => email),
    usernames: lines.flatMap(({ value: { username } }) => (username ? [normalizeUsername(username)] : [])),
  })
  const identities = lines.flatMap(({ value }) =>
    value.identities.flatMap(({ provider, accountId }) =>
      accountId === null ? [] : [{ providerId: provider, accountId }],
    ),
  )
  for (const { id, email, previousEmail, username } of users) {
    used.ids.add(id)
    used.emails.set(email, id)
    if (previousEmail !== null) used.emails.set(previousEmail, id)
    if (username !== null) used.usernames.add(username)
  }
  for (const key of await findTakenIdentities(tx, identities)) used.identities.add(key)
  return {
    imported: new Map(users.map(({ id, importedEmail }) => [id, importedEmail])),
    unownedEmails: new Set(users.filter(({ ownsEmail }) => !ownsEmail).map(({ email }) => email)),
  }
}

/** Decides what becomes of a line: a new user, whose values are then used, or only an outcome. */
function decide(
  { line, value }: Numbered<UserLine>,
  { now, used, existing }: { now: Date; used: UsedValues; existing: Existing },
): Prepared | { outcome: Outcome } {
  const outcome: Outcome = { line, about: value.email, result: 'imported', notes: [] }
  const userOfEmail = used.emails.get(value.email)
  // The same person, even after a change of email address.
  const isKnown = value.id !== undefined && existing.imported.get(value.id) === value.email
  if (isKnown || (userOfEmail !== undefined && userOfEmail === (value.id ?? userOfEmail))) {
    outcome.result = 'existing'
    outcome.id = isKnown ? value.id : userOfEmail
    if (existing.unownedEmails.has(value.email))
      outcome.notes.push('another person has signed up with the email address and not verified it')
    return { outcome }
  }
  if (value.id !== undefined && used.ids.has(value.id)) {
    outcome.result = 'skipped'
    outcome.notes.push('the id belongs to another user')
    outcome.refusedId = value.id
    return { outcome }
  }
  if (userOfEmail !== undefined) {
    outcome.result = 'skipped'
    outcome.notes.push('the email address belongs to another user')
    return { outcome }
  }
  outcome.id = value.id
  const rows = prepare(value, outcome, { now, used })
  used.ids.add(rows.user.id)
  used.emails.set(value.email, rows.user.id)
  return { outcome, ...rows }
}

/** Stores new users with their events. One that another transaction was faster to store is skipped. */
async function store(tx: Tx, app: App & EventOrigin, prepared: readonly Prepared[]): Promise<void> {
  const stored = await insertUsers(
    tx,
    prepared.map(({ user }) => user),
    prepared.flatMap(({ accounts }) => accounts),
    app.now,
  )
  for (const { outcome, user } of prepared) {
    if (stored.has(user.id)) continue
    outcome.result = 'skipped'
    outcome.notes.push('the email address or username was taken meanwhile')
  }
  const events = prepared.flatMap(({ user: { id, email } }) =>
    stored.has(id) ? [{ type: 'user.imported' as const, subjectId: id, data: { email } }] : [],
  )
  await recordAll(tx, app, events)
}

/** Values that existing users have. */
type UsedValues = { ids: Set<string>; emails: Map<string, string>; usernames: Set<string>; identities: Set<string> }

export function noUsedValues(): UsedValues {
  return { ids: new Set(), emails: new Map(), usernames: new Set(), identities: new Set() }
}

/** The rows of a user. Values that are used or not allowed are left out and noted; the others are marked as used. */
function prepare(
  value: UserLine,
  { notes }: Outcome,
  { now, used }: { now: Date; used: UsedValues },
): Omit<Prepared, 'outcome'> {
  const id = value.id ?? newId()
  const createdAt = value.createdAt ?? now
  const language = languageByCode((value.language ?? '').split('-')[0]?.toLowerCase() ?? '') ?? english
  const username = usernameOf(value, notes, used)
  const image = value.image ? (PictureUrl.safeParse(value.image).data ?? null) : null
  if (value.image && !image?.startsWith('https://')) notes.push('the picture is not an https URL')
  const user: NewUserRow = {
    id,
    email: value.email,
    name: value.name ?? localPart(value.email),
    image: image?.startsWith('https://') ? image : null,
    emailVerified: value.emailVerified,
    username,
    displayUsername:
      username === null ? null : (DisplayUsername.safeParse(value.displayUsername).data ?? value.username ?? null),
    language: language.id,
    createdAt,
    bannedAt: value.banned ? now : null,
    banReason: value.banned?.reason ?? null,
    banExpiresAt: value.banned?.expiresAt ?? null,
    metadata: value.metadata ?? {},
    privateMetadata: value.privateMetadata ?? {},
  }
  const accounts: NewAccount[] = []
  const account = { userId: id, createdAt }
  const hash = value.passwordHash
  const problem = hash ? hashProblem(hash) : undefined
  if (problem) notes.push(problems[problem])
  else if (hash) accounts.push({ ...account, id: newId(), providerId: credential, accountId: id, password: hash })
  for (const { provider, accountId, createdAt: linkedAt } of value.identities) {
    const key = `${provider} ${accountId}`
    if (accountId === null) notes.push(`the id at ${provider} is too large for a number: write it as a string`)
    else if (!isProvider(provider)) notes.push(`${provider} is not a known provider`)
    else if (used.identities.has(key)) notes.push(`the account at ${provider} belongs to another user`)
    else {
      used.identities.add(key)
      accounts.push({
        ...account,
        createdAt: linkedAt ?? createdAt,
        id: newId(),
        providerId: provider,
        accountId,
        password: null,
      })
    }
  }
  return { user, accounts }
}

function usernameOf({ username: typed }: UserLine, notes: string[], used: UsedValues): string | null {
  if (!typed) return null
  const username = normalizeUsername(typed)
  if (usernameProblem(typed)) notes.push(`the username ${typed} is not allowed`)
  else if (used.usernames.has(username)) notes.push(`the username ${typed} is taken`)
  else {
    used.usernames.add(username)
    return username
  }
  return null
}
