import { accessTokenAad, refreshTokenAad } from '../account/identities.ts'
import type { App } from '../dependencies.ts'
import { recoveryCodeAad } from '../factor/recovery-codes.ts'
import { totpAad } from '../factor/totp.ts'
import { type KeyList, reencrypt } from '../foundation/crypto.ts'
import { isRecord } from '../foundation/records.ts'
import { signingKeyAad } from '../token/signing-keys.ts'
import { endpointSecretAad } from '../webhook/endpoints.ts'

/** Rows read per batch. */
const batchSize = 500

type Deps = Pick<App, 'db'> & { keys: KeyList }

/**
 * Re-encrypts stored data with the current secret after AUTH_SECRET was rotated, so that the former secret
 * can be removed from the list (SEC-125). Rows changed concurrently are left to the next run.
 */
export async function reencryptStored({ db, keys: { storage }, log }: App): Promise<void> {
  if (storage.length === 1) return
  let changed = 0
  for (const ofTable of [ofAccounts, ofMails, ofSigningKeys, ofEndpoints, ofAuthenticatorApps, ofRecoveryCodes])
    changed += await ofTable({ db, keys: storage })
  log.info({ changed }, 'stored secrets re-encrypted under the current AUTH_SECRET')
}

/** Rewrites the rows of a table page by page, in the order of their ids. Returns how many were changed. */
async function inPages<Row>(
  read: (page: { after: string; take: number }) => Promise<Row[]>,
  idOf: (row: Row) => string,
  rewrite: (row: Row) => Promise<number>,
): Promise<number> {
  let changed = 0
  let after = ''
  for (;;) {
    const rows = await read({ after, take: batchSize })
    for (const row of rows) changed += await rewrite(row)
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return changed
    after = idOf(last)
  }
}

/** The columns that are not under the current secret, encrypted again. Undefined if there are none. */
function reencryptColumns<Column extends string>(
  keys: KeyList,
  columns: Record<Column, [sealed: string | null, about: string]>,
) {
  const found: Partial<Record<Column, string>> = {}
  for (const name in columns) {
    const [sealed, about] = columns[name]
    const again = sealed === null ? undefined : reencrypt(keys, sealed, about)
    if (again !== undefined) found[name] = again
  }
  return Object.keys(found).length === 0 ? undefined : found
}

function ofAccounts({ db, keys }: Deps): Promise<number> {
  const hasToken = { OR: [{ accessToken: { not: null } }, { refreshToken: { not: null } }] }
  return inPages(
    ({ after, take }) =>
      db.account.findMany({ where: { id: { gt: after }, ...hasToken }, orderBy: { id: 'asc' }, take }),
    ({ id }) => id,
    async ({ id, accessToken, refreshToken }) => {
      const data = reencryptColumns(keys, {
        accessToken: [accessToken, accessTokenAad(id)],
        refreshToken: [refreshToken, refreshTokenAad(id)],
      })
      return data ? (await db.account.updateMany({ where: { id, accessToken, refreshToken }, data })).count : 0
    },
  )
}

function ofMails({ db, keys }: Deps): Promise<number> {
  return inPages(
    ({ after, take }) => db.mail.findMany({ where: { id: { gt: after }, sentAt: null }, orderBy: { id: 'asc' }, take }),
    ({ id }) => id,
    async ({ id, data }) => {
      if (!isRecord(data) || typeof data['sealed'] !== 'string') return 0
      const sealed = reencrypt(keys, data['sealed'], id)
      if (sealed === undefined) return 0
      return (await db.mail.updateMany({ where: { id, sentAt: null }, data: { data: { ...data, sealed } } })).count
    },
  )
}

function ofSigningKeys({ db, keys }: Deps): Promise<number> {
  return inPages(
    ({ after, take }) => db.signingKey.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take }),
    ({ id }) => id,
    async ({ id, privateKey }) => {
      const data = reencryptColumns(keys, { privateKey: [privateKey, signingKeyAad(id)] })
      return data ? (await db.signingKey.updateMany({ where: { id, privateKey }, data })).count : 0
    },
  )
}

function ofEndpoints({ db, keys }: Deps): Promise<number> {
  return inPages(
    ({ after, take }) => db.webhookEndpoint.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take }),
    ({ id }) => id,
    async ({ id, secret, previousSecret }) => {
      const data = reencryptColumns(keys, {
        secret: [secret, endpointSecretAad(id)],
        previousSecret: [previousSecret, endpointSecretAad(id)],
      })
      return data ? (await db.webhookEndpoint.updateMany({ where: { id, secret, previousSecret }, data })).count : 0
    },
  )
}

function ofAuthenticatorApps({ db, keys }: Deps): Promise<number> {
  return inPages(
    ({ after, take }) => db.twoFactor.findMany({ where: { userId: { gt: after } }, orderBy: { userId: 'asc' }, take }),
    ({ userId }) => userId,
    async ({ userId, secret, pendingSecret }) => {
      const about = totpAad(userId)
      const data = reencryptColumns(keys, { secret: [secret, about], pendingSecret: [pendingSecret, about] })
      return data ? (await db.twoFactor.updateMany({ where: { userId, secret, pendingSecret }, data })).count : 0
    },
  )
}

function ofRecoveryCodes({ db, keys }: Deps): Promise<number> {
  return inPages(
    ({ after, take }) => db.recoveryCode.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take }),
    ({ id }) => id,
    async ({ id, userId, codeHash }) => {
      const data = reencryptColumns(keys, { codeHash: [codeHash, recoveryCodeAad(userId)] })
      return data ? (await db.recoveryCode.updateMany({ where: { id, codeHash }, data })).count : 0
    },
  )
}
