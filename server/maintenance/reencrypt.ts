import type { App } from '../dependencies.ts'
import { recoveryContext } from '../factor/recovery-codes.ts'
import { totpContext } from '../factor/totp.ts'
import { reencrypt } from '../foundation/crypto.ts'
import { isRecord } from '../foundation/records.ts'
import { secretOf } from '../webhook/endpoints.ts'

/** Rows read per batch. */
const batch = 500

/**
 * Re-encrypts stored data with the current secret after AUTH_SECRET was rotated, so that the former secret
 * can be removed from the list (SEC-125). Rows changed concurrently are left to the next run.
 */
export async function reencryptStored({ db, keys, log }: App): Promise<void> {
  if (keys.storage.length === 1) return
  let changed = 0
  for (let last = ''; ;) {
    const accounts = await db.account.findMany({
      where: { id: { gt: last }, OR: [{ accessToken: { not: null } }, { refreshToken: { not: null } }] },
      orderBy: { id: 'asc' },
      take: batch,
    })
    for (const { id, accessToken, refreshToken } of accounts) {
      const access = accessToken === null ? undefined : reencrypt(keys.storage, accessToken, `access:${id}`)
      const refresh = refreshToken === null ? undefined : reencrypt(keys.storage, refreshToken, `refresh:${id}`)
      if (access === undefined && refresh === undefined) continue
      const data = {
        ...(access !== undefined && { accessToken: access }),
        ...(refresh !== undefined && { refreshToken: refresh }),
      }
      const { count } = await db.account.updateMany({ where: { id, accessToken, refreshToken }, data })
      changed += count
    }
    last = accounts.at(-1)?.id ?? last
    if (accounts.length < batch) break
  }
  for (let last = ''; ;) {
    const mails = await db.mail.findMany({
      where: { id: { gt: last }, deliveredAt: null },
      orderBy: { id: 'asc' },
      take: batch,
    })
    for (const { id, data } of mails) {
      if (!isRecord(data) || typeof data['sealed'] !== 'string') continue
      const sealed = reencrypt(keys.storage, data['sealed'], id)
      if (sealed === undefined) continue
      const { count } = await db.mail.updateMany({
        where: { id, deliveredAt: null },
        data: { data: { ...data, sealed } },
      })
      changed += count
    }
    last = mails.at(-1)?.id ?? last
    if (mails.length < batch) break
  }
  for (const { id, privateKey } of await db.signingKey.findMany()) {
    const sealed = reencrypt(keys.storage, privateKey, `signing-key:${id}`)
    if (sealed === undefined) continue
    const { count } = await db.signingKey.updateMany({ where: { id, privateKey }, data: { privateKey: sealed } })
    changed += count
  }
  for (const { id, secret, formerSecret } of await db.webhookEndpoint.findMany()) {
    const sealed = reencrypt(keys.storage, secret, secretOf(id))
    const former = formerSecret === null ? undefined : reencrypt(keys.storage, formerSecret, secretOf(id))
    if (sealed === undefined && former === undefined) continue
    const { count } = await db.webhookEndpoint.updateMany({
      where: { id, secret, formerSecret },
      data: { ...(sealed !== undefined && { secret: sealed }), ...(former !== undefined && { formerSecret: former }) },
    })
    changed += count
  }
  for (let last = ''; ;) {
    const apps = await db.twoFactor.findMany({
      where: { userId: { gt: last } },
      orderBy: { userId: 'asc' },
      take: batch,
    })
    for (const { userId, secret, pendingSecret } of apps) {
      const inForce = secret === null ? undefined : reencrypt(keys.storage, secret, totpContext(userId))
      const pending = pendingSecret === null ? undefined : reencrypt(keys.storage, pendingSecret, totpContext(userId))
      if (inForce === undefined && pending === undefined) continue
      const data = {
        ...(inForce !== undefined && { secret: inForce }),
        ...(pending !== undefined && { pendingSecret: pending }),
      }
      const { count } = await db.twoFactor.updateMany({ where: { userId, secret, pendingSecret }, data })
      changed += count
    }
    last = apps.at(-1)?.userId ?? last
    if (apps.length < batch) break
  }
  for (let last = ''; ;) {
    const codes = await db.recoveryCode.findMany({ where: { id: { gt: last } }, orderBy: { id: 'asc' }, take: batch })
    for (const { id, userId, codeHash } of codes) {
      const sealed = reencrypt(keys.storage, codeHash, recoveryContext(userId))
      if (sealed === undefined) continue
      const { count } = await db.recoveryCode.updateMany({ where: { id, codeHash }, data: { codeHash: sealed } })
      changed += count
    }
    last = codes.at(-1)?.id ?? last
    if (codes.length < batch) break
  }
  log.info({ changed }, 'stored secrets re-encrypted under the current AUTH_SECRET')
}
