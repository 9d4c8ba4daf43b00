import type { App } from '../dependencies.ts'
import { secondsAfter } from '../foundation/time.ts'
import { issuerOf } from './issuer.ts'
import { claimNotices, deleteNotice, postponeNotice } from './logout-notices.ts'

/** Seconds until the next attempt after each failed one. */
const retryDelaysSeconds = [5, 30, 300, 1800, 7200]
/** Seconds for which a process claims a notification. If the process is killed, another one sends it afterwards. */
const claimSeconds = 60
const batchSize = 50

/**
 * Notifies applications that a session has ended (OpenID Connect Back-Channel Logout 1.0). Several processes share the
 * work.
 */
export async function sendLogouts(app: App): Promise<{ isMore: boolean }> {
  const now = app.clock()
  const claimed = await claimNotices(app.db, { now, claimSeconds, limit: batchSize })
  if (claimed.length === 0) return { isMore: false }
  const provider = await issuerOf(app).provider()
  await Promise.all(
    claimed.map(async ({ id, clientId, userId, sessionId, attempts }) => {
      try {
        const client = await provider.Client.find(clientId)
        if (client?.backchannelLogoutUri !== undefined) await notify(client, userId, sessionId)
        await deleteNotice(app.db, id)
      } catch (error) {
        app.log.warn({ err: error, clientId, attempts }, 'back-channel logout failed')
        const wait = retryDelaysSeconds[attempts - 1]
        if (wait === undefined) await deleteNotice(app.db, id)
        else await postponeNotice(app.db, id, secondsAfter(app.clock(), wait))
      }
    }),
  )
  return { isMore: claimed.length === batchSize }
}

/** oidc-provider sends the signed notification. Its types lack the method. */
async function notify(client: object, userId: string, sessionId: string): Promise<void> {
  const send: unknown = Reflect.get(client, 'backchannelLogout')
  if (typeof send !== 'function') throw new TypeError('backchannelLogout is missing')
  await Reflect.apply(send, client, [userId, sessionId])
}
