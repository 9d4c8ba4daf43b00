import type { ProviderId } from '../../shared/provider.ts'
import { decrypt, encrypt, type KeyList, newId } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import type { Tokens } from '../foundation/social/provider.ts'
import { credential } from './users.ts'

/** Identifies a user at a provider: always both fields, never an email address, never the id alone (SEC-77). */
type IdentityKey = { providerId: ProviderId; accountId: string }

/** Provider tokens to store. `requestedScopes` are stored if the provider does not return any. */
type StoredTokens = { tokens: Tokens; requestedScopes: string[]; keys: KeyList; now: Date }
type MaybeTokens = Omit<StoredTokens, 'tokens'> & { tokens: Tokens | undefined }

export async function findIdentity(db: Db, identity: IdentityKey) {
  return db.account.findUnique({ where: { providerId_accountId: identity }, include: { user: true } })
}

type IdentityQuery = { userId: string; providerId: string; accountId?: string | undefined }

/**
 * Finds a user's identity by row id or by the provider's id. Without either, returns the first one of that provider.
 */
export async function findOwnIdentity(db: Db, { userId, providerId, accountId }: IdentityQuery) {
  return db.account.findFirst({
    where: { userId, providerId, ...(accountId !== undefined && { OR: [{ id: accountId }, { accountId }] }) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
}

/** Finds an identity of a user at any provider, by row id or by the provider's id. */
export async function findLinkedIdentity(db: Db, { userId, accountId }: { userId: string; accountId: string }) {
  return db.account.findFirst({
    where: { userId, providerId: { not: credential }, OR: [{ id: accountId }, { accountId }] },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
}

/** Stores a new sign-in method. Provider tokens are encrypted and bound to this row; a lone id_token stores none. */
export async function createIdentity(
  tx: Tx,
  identity: IdentityKey & { userId: string },
  { now, ...storedTokens }: MaybeTokens,
) {
  const id = newId()
  const { tokens } = storedTokens
  const data = {
    id,
    ...identity,
    ...(tokens && encryptTokens(id, { ...storedTokens, tokens, now })),
    createdAt: now,
    updatedAt: now,
  }
  await tx.account.create({ data })
  return id
}

/** Updates the values that the provider sent; others stay unchanged. */
export async function updateIdentityTokens(db: Db, id: string, { tokens, ...storedTokens }: MaybeTokens) {
  if (!tokens) return
  await db.account.update({
    where: { id },
    data: { ...encryptTokens(id, { ...storedTokens, tokens }), updatedAt: storedTokens.now },
  })
}

function encryptTokens(id: string, { tokens, requestedScopes, keys }: StoredTokens) {
  const { accessToken, refreshToken, deviceId, accessTokenExpiresAt, refreshTokenExpiresAt, scopes } = tokens
  return {
    accessToken: encrypt(keys, accessToken, accessTokenAad(id)),
    accessTokenExpiresAt: accessTokenExpiresAt ?? null,
    scope: (scopes ?? requestedScopes).join(','),
    ...(refreshToken !== undefined && {
      refreshToken: encrypt(keys, JSON.stringify({ refreshToken, deviceId }), refreshTokenAad(id)),
      refreshTokenExpiresAt: refreshTokenExpiresAt ?? null,
    }),
  }
}

/** Decrypts the stored refresh token, with VK's device id. Undefined if there is none or it cannot be decrypted. */
export function decryptRefreshToken(
  { id, refreshToken }: { id: string; refreshToken: string | null },
  keys: KeyList,
): { refreshToken: string; deviceId?: string } | undefined {
  const text = refreshToken === null ? undefined : decrypt(keys, refreshToken, refreshTokenAad(id))
  return text === undefined ? undefined : JSON.parse(text)
}

export function decryptAccessToken(
  { id, accessToken }: { id: string; accessToken: string | null },
  keys: KeyList,
): string | undefined {
  return accessToken === null ? undefined : decrypt(keys, accessToken, accessTokenAad(id))
}

/** The scopes that a provider has granted, which are stored as a list with commas. */
export function scopesOf({ scope }: { scope: string | null }): string[] {
  return scope?.split(',').filter((name) => name !== '') ?? []
}

/** What the tokens of an identity are encrypted for: they cannot be read as those of another one. */
export const accessTokenAad = (id: string) => `access:${id}`
export const refreshTokenAad = (id: string) => `refresh:${id}`

/** Deletes all identities of a user. A password stays. */
export async function deleteIdentities(tx: Tx, userId: string): Promise<void> {
  await tx.account.deleteMany({ where: { userId, providerId: { not: credential } } })
}
