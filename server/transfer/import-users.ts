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
import { hashProblem } from '../foundation/imported-hashes.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Numbered, Outcome } from './outcome.ts'
import {
  findExistingUsers,
  findTakenIdentities,
  insertUsers,
  lockImports,
  type NewAccount,
  type NewRow,
} from './users.ts'

const problems = {
  UNKNOWN_HASH: 'unknown password hash format: the user has to reset the password',
  HASH_TOO_COSTLY: 'the cost of the password hash exceeds the limit: the user has to reset the password',
}

type Prepared = { outcome: Outcome; user: NewRow; accounts: NewAccount[] }

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
    const usernames = lines.flatMap(({ value: { username } }) => (username ? [normalizeUsername(username)] : []))
    const holders = await findExistingUsers(tx, {
      ids: lines.flatMap(({ value: { id } }) => id ?? []),
      emails: lines.map(({ value: { email } }) => email),
      usernames,
    })
    const identities = lines.flatMap(({ value }) =>
      value.identities.flatMap(({ provider, accountId }) =>
        accountId === null ? [] : [{ providerId: provider, accountId }],
      ),
    )
    // A dry run keeps the values that it would have stored in memory.
    const taken = dryRun ? dryRunValues : noUsedValues()
    const imported = new Map(holders.map(({ id, importedEmail }) => [id, importedEmail]))
    const usersWithUnownedEmail = new Set(holders.filter(({ isOwn }) => !isOwn).map(({ id }) => id))
    for (const { id, email, previousEmail, username } of holders) {
      taken.ids.add(id)
      taken.emails.set(email, id)
      if (previousEmail !== null) taken.emails.set(previousEmail, id)
      if (username !== null) taken.usernames.add(username)
    }
    for (const key of await findTakenIdentities(tx, identities)) taken.identities.add(key)
    const outcomes: Outcome[] = []
    const prepared: Prepared[] = []
    for (const { line, value } of lines) {
      const outcome: Outcome = { line, about: value.email, result: 'imported', notes: [] }
      outcomes.push(outcome)
      const holder = taken.emails.get(value.email)
      // The same person, even after a change of email address.
      const isKnown = value.id !== undefined && imported.get(value.id) === value.email
      if (isKnown || (holder !== undefined && holder === (value.id ?? holder))) {
        outcome.result = 'existing'
        outcome.id = isKnown ? value.id : holder
        if (usersWithUnownedEmail.has(outcome.id ?? ''))
          outcome.notes.push('another person has signed up with the email address and not verified it')
        continue
      }
      if (value.id !== undefined && taken.ids.has(value.id)) {
        outcome.result = 'skipped'
        outcome.notes.push('the id belongs to another user')
        outcome.refusedId = value.id
        continue
      }
      if (holder !== undefined) {
        outcome.result = 'skipped'
        outcome.notes.push('the email address belongs to another user')
        continue
      }
      outcome.id = value.id
      const one = prepare(value, outcome, { now: app.now, taken })
      taken.ids.add(one.user.id)
      taken.emails.set(value.email, one.user.id)
      prepared.push({ outcome, ...one })
    }
    if (dryRun) return outcomes
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
    await recordAll(
      tx,
      app,
      prepared.flatMap(({ user: { id, email } }) =>
        stored.has(id) ? [{ type: 'user.imported' as const, subjectId: id, data: { email } }] : [],
      ),
    )
    return outcomes
  })
}

/** Values that existing users have. */
type UsedValues = { ids: Set<string>; emails: Map<string, string>; usernames: Set<string>; identities: Set<string> }

export function noUsedValues(): UsedValues {
  return { ids: new Set(), emails: new Map(), usernames: new Set(), identities: new Set() }
}

/** The rows of a user. Values that are taken or not allowed are left out and noted; the others are marked as taken. */
function prepare(
  value: UserLine,
  { notes }: Outcome,
  { now, taken }: { now: Date; taken: UsedValues },
): Omit<Prepared, 'outcome'> {
  const id = value.id ?? newId()
  const createdAt = value.createdAt ?? now
  const language = languageByCode((value.language ?? '').split('-')[0]?.toLowerCase() ?? '') ?? english
  const username = usernameOf(value, notes, taken)
  const image = value.image ? (PictureUrl.safeParse(value.image).data ?? null) : null
  if (value.image && !image?.startsWith('https://')) notes.push('the picture is not an https URL')
  const user: NewRow = {
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
    else if (taken.identities.has(key)) notes.push(`the account at ${provider} belongs to another user`)
    else {
      taken.identities.add(key)
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

function usernameOf({ username: typed }: UserLine, notes: string[], taken: UsedValues): string | null {
  if (!typed) return null
  const username = normalizeUsername(typed)
  if (usernameProblem(typed)) notes.push(`the username ${typed} is not allowed`)
  else if (taken.usernames.has(username)) notes.push(`the username ${typed} is taken`)
  else {
    taken.usernames.add(username)
    return username
  }
  return null
}
