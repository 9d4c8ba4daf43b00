import type { AdapterPayload } from 'oidc-provider'
import type { OAuthClient } from '../../prisma/client/client.ts'
import { grantTypes } from '../../shared/oauth.ts'
import { newId, newSecret, sha256 } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { isLoopback } from '../foundation/ip-address.ts'
import { maxRows } from '../foundation/lists.ts'
import { changedFields, withoutUndefined } from '../foundation/records.ts'

export type GrantType = (typeof grantTypes)[number]

export type NewClient = Pick<
  OAuthClient,
  'name' | 'logo' | 'redirectUris' | 'postLogoutRedirectUris' | 'backchannelLogoutUri' | 'isFirstParty'
> & { isPublic: boolean; grantTypes: GrantType[]; now: Date }

/** The reason why a URI of a client is invalid. Undefined if it is valid. */
export function uriProblem(uri: string): string | undefined {
  if (!URL.canParse(uri)) return 'is not an absolute URL'
  const { protocol, hostname, username, password, hash } = new URL(uri)
  if (uri.includes('#') || hash !== '') return 'must not have a fragment'
  if (username !== '' || password !== '' || /^[^/]*\/\/[^/]*@/.test(uri)) return 'must not have a user part'
  if (uri.includes('*')) return 'must not contain *'
  if (/[\s\\]/.test(uri)) return 'must not contain spaces or backslashes'
  if (/[^ -~]/.test(uri)) return 'must be percent-encoded (RFC 3986)'
  if (!uri.startsWith(new URL(uri).origin)) return `must start with ${new URL(uri).origin}`
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  return isAllowed ? undefined : 'must be https (http for loopback names)'
}

/**
 * The reason why the grants of a client are invalid. Undefined if they are valid.
 */
export function grantProblem({
  grantTypes: grants,
  redirectUris,
  isPublic,
}: NewClientFields): GrantProblem | undefined {
  if (grants.every((type) => type === 'refresh_token')) return 'needs_another_grant'
  // This also applies in addition to the device flow: the issuer rejects a client that has the code flow but no
  // redirect URI.
  if (grants.includes('authorization_code') && redirectUris.length === 0) return 'needs_redirect_uri'
  return isPublic && grants.includes('client_credentials') ? 'needs_secret' : undefined
}

/** The stored grants of a client, as `grantProblem` checks them. */
export function grantsOf({ grantTypes: stored, redirectUris, secretHash }: OAuthClient): NewClientFields {
  const grants = grantTypes.filter((type) => stored.includes(type))
  return { grantTypes: grants, redirectUris, isPublic: secretHash === null }
}

type NewClientFields = Pick<NewClient, 'grantTypes' | 'redirectUris' | 'isPublic'>
type GrantProblem = 'needs_another_grant' | 'needs_redirect_uri' | 'needs_secret'

/** All URIs of a client. Each of them must be valid. */
export function urisOf(client: Omit<ClientChanges, 'name'>): string[] {
  const { logo = null, redirectUris = [], postLogoutRedirectUris = [], backchannelLogoutUri = null } = client
  return [...redirectUris, ...postLogoutRedirectUris, ...[backchannelLogoutUri, logo].filter((uri) => uri !== null)]
}

/** Lists all clients, oldest first. */
export async function listClients(db: Db): Promise<OAuthClient[]> {
  return db.oAuthClient.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: maxRows })
}

/** Deletes a client with all its grants. Undefined if there is no such client. */
export async function deleteClient(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx.$queryRaw<{ name: string }[]>`delete from "OAuthClient" where id = ${id} returning name`
  await tx.oAuthArtifact.deleteMany({ where: { clientId: id } })
  return row?.name
}

/** Replaces the secret of a client that has one. Undefined if there is no such client. */
export async function replaceSecret(
  tx: Tx,
  id: string,
  now: Date,
): Promise<{ name: string; secret: string } | undefined> {
  const secret = newSecret()
  const [row] = await tx.oAuthClient.updateManyAndReturn({
    where: { id, secretHash: { not: null } },
    data: { secretHash: sha256(secret), updatedAt: now },
  })
  return row && { name: row.name, secret }
}

/** The fields of a client that can be changed. Those that are missing stay as they are. */
export type ClientChanges = { [Field in ChangeableField]?: NewClient[Field] | undefined }
const changeableFields = ['name', 'logo', 'redirectUris', 'postLogoutRedirectUris', 'backchannelLogoutUri'] as const
type ChangeableField = (typeof changeableFields)[number]

/**
 * Changes a client, and returns the names of the fields that changed. Its users' consents cover only the redirect URIs
 * that they were sent to, and nothing is sent to one that was removed (continue-interaction.ts, issuer-claims.ts).
 * Undefined if there is no such client.
 */
export async function updateClient(
  tx: Tx,
  id: string,
  { changes, now }: { changes: ClientChanges; now: Date },
): Promise<{ row: OAuthClient; fields: string[] } | undefined> {
  const [held] = await tx.$queryRaw<unknown[]>`select 1 from "OAuthClient" where id = ${id} for no key update`
  if (!held) return undefined
  const former = await tx.oAuthClient.findUniqueOrThrow({ where: { id } })
  const row = await tx.oAuthClient.update({ where: { id }, data: { ...withoutUndefined(changes), updatedAt: now } })
  return { row, fields: changedFields(changeableFields, former, row) }
}

/** Creates a client. The secret is returned only here; its hash is stored. */
export async function createClient(tx: Tx, { isPublic, now, ...client }: NewClient) {
  const secret = isPublic ? undefined : newSecret()
  const data = { id: newId(), ...client, secretHash: secret === undefined ? null : sha256(secret) }
  const row = await tx.oAuthClient.create({ data: { ...data, createdAt: now, updatedAt: now } })
  return { row, secret }
}

/** The stored client with this id. */
export async function findClientRow(db: Db, id: string): Promise<OAuthClient | null> {
  return db.oAuthClient.findUnique({ where: { id } })
}

/**
 * Finds a client in the form that the issuer reads (RFC 7591, 2). Its secret is the stored hash, which is compared with
 * the hash of the secret sent.
 */
export async function findClient(db: Db, id: string): Promise<AdapterPayload | undefined> {
  if (id.includes('\0')) return undefined
  const row = await db.oAuthClient.findUnique({ where: { id } })
  if (!row) return undefined
  const hasCode = row.grantTypes.includes('authorization_code')
  return {
    client_id: row.id,
    client_name: row.name,
    ...(row.logo !== null && { logo_uri: row.logo }),
    ...(row.secretHash !== null && { client_secret: row.secretHash }),
    token_endpoint_auth_method: row.secretHash === null ? 'none' : 'client_secret_basic',
    redirect_uris: hasCode ? row.redirectUris : [],
    post_logout_redirect_uris: row.postLogoutRedirectUris,
    ...(row.backchannelLogoutUri !== null && {
      backchannel_logout_uri: row.backchannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
    grant_types: row.grantTypes,
    response_types: hasCode ? ['code'] : [],
    first_party: row.isFirstParty,
  }
}
