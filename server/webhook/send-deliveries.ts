import { Webhook } from 'standardwebhooks'
import type { App } from '../dependencies.ts'
import { originWithoutRequest, record } from '../event/record.ts'
import { type OutgoingResponse, postToPublic } from '../foundation/outgoing.ts'
import { daysBefore, secondsAfter } from '../foundation/time.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import { webhookBody } from './body.ts'
import { claimDeliveries, type Claimed, findEndpointContacts, type Result, storeResult } from './deliveries.ts'
import { patchEndpoint, signingSecrets } from './endpoints.ts'

/** Seconds from each failed attempt to the next: quickly at first, then over a day. */
const retryDelaysSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]
/** Maximum seconds that a receiver may postpone the next attempt by. */
const maxAskedSeconds = 86_400
/** Days without a success after which an endpoint is disabled. */
const disabledAfterDays = 5
/**
 * Seconds for which a process claims a delivery: longer than a call takes. If the process ends, another one sends it
 * afterwards.
 */
const claimSeconds = 30
/** Maximum concurrent deliveries of one process: in total, to healthy endpoints, and to failing ones. */
const concurrency = { all: 32, healthy: 28, failing: 16 }
/** Maximum concurrent deliveries of one process to one endpoint. */
const share = { healthy: 8, failing: 2 }

/** Sends queued events to their endpoints. Each process has one; they share the work by claiming deliveries. */
export function createDeliverySender(app: App) {
  const busy = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  /** Shared by all callers that wait for the next delivery to end. */
  let freed: { promise: Promise<void>; resolve: () => void } | undefined

  async function send(claimed: Claimed, until: Date): Promise<void> {
    const { id } = claimed.endpoint
    busy.set(id, (busy.get(id) ?? 0) + 1)
    try {
      await deliver(app, claimed, until)
    } catch (error) {
      // The claim expires, and the delivery is retried.
      app.log.warn({ err: error, deliveryId: claimed.id }, 'failed to store the result of a webhook')
    } finally {
      const left = (busy.get(id) ?? 1) - 1
      if (left > 0) busy.set(id, left)
      else busy.delete(id)
      freed?.resolve()
      freed = undefined
    }
  }

  return {
    /** Starts sending due deliveries, as far as there is room. Returns how many were started. */
    async start(): Promise<number> {
      const capacity = concurrency.all - underWay.size
      if (capacity <= 0) return 0
      const now = app.clock()
      const until = secondsAfter(now, claimSeconds)
      const claimed = await claimDeliveries(app.db, { now, until, capacity, limits: concurrency, share, busy })
      for (const one of claimed) {
        const sending = send(one, until).finally(() => underWay.delete(sending))
        underWay.add(sending)
      }
      return claimed.length
    },

    /** Resolves when the next delivery ends, which makes room for another one. Undefined if none is in progress. */
    freed(): Promise<void> | undefined {
      if (underWay.size === 0) return undefined
      if (!freed) {
        let resolve = () => {}
        const promise = new Promise<void>((done) => (resolve = done))
        freed = { promise, resolve }
      }
      return freed.promise
    },

    /** Resolves when no delivery is in progress. */
    async idle(): Promise<void> {
      await Promise.all(underWay)
    },
  }
}

/** One attempt: signs the event with the current time, sends it, and stores the outcome. */
async function deliver(app: App, claimed: Claimed, until: Date): Promise<void> {
  const { endpoint, event, attempt } = claimed
  const now = app.clock()
  const secrets = signingSecrets(app.keys.storage, endpoint, now)
  const answer = secrets.length === 0 ? undefined : await post(app, claimed, secrets)
  const result = resultOf(answer, attempt, app.clock())
  // Stored before it is logged: a log that cannot be written must not cause another delivery.
  await storeResult(app.db, claimed, result, { now, until })
  app.metrics?.webhook(result.isDelivered ? 'delivered' : 'failed')
  app.log.info(
    { endpointId: endpoint.id, eventId: event.id, type: event.type, attempt, ...logged(answer) },
    result.isDelivered ? 'webhook delivered' : 'webhook not delivered',
  )
  if (!result.isDelivered) await disableIfFailing(app, claimed, { now, isGone: result.responseStatus === 410 })
}

async function post(
  { config, clock }: App,
  { endpoint, event }: Claimed,
  secrets: string[],
): Promise<OutgoingResponse> {
  const now = clock()
  const body = JSON.stringify(webhookBody(event, now))
  const signatures = secrets.map((secret) => new Webhook(secret).sign(event.id, now, body))
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Foyer',
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
  return postToPublic(endpoint.url, { headers, body, mayBePrivate: config.mayCallPrivateAddresses })
}

function resultOf(answer: OutgoingResponse | undefined, attempt: number, now: Date): Result {
  const isDelivered = answer !== undefined && 'status' in answer && answer.status >= 200 && answer.status < 300
  const wait = isDelivered ? undefined : retryDelaysSeconds[attempt - 1]
  const asked = answer && 'status' in answer ? secondsAsked(answer.retryAfter, now) : 0
  const nextTryAt = wait === undefined ? null : secondsAfter(now, Math.max(wait, asked))
  if (answer && 'status' in answer) {
    return { isDelivered, responseStatus: answer.status, response: answer.text, failure: null, nextTryAt }
  }
  const failure = answer ? answer.failure : 'SECRET_LOST'
  return { isDelivered, responseStatus: null, response: null, failure, nextTryAt }
}

/** How long a receiver asks to wait before the next attempt (RFC 9110, 10.2.3): seconds or a date. At most a day. */
function secondsAsked(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0
  const isNumber = /^\d{1,9}$/.test(retryAfter)
  const seconds = isNumber ? Number(retryAfter) : Math.ceil((Date.parse(retryAfter) - now.getTime()) / 1000)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), maxAskedSeconds) : 0
}

function logged(answer: OutgoingResponse | undefined): object {
  if (!answer) return { failure: 'SECRET_LOST' }
  return 'status' in answer ? { status: answer.status } : answer
}

/**
 * Disables an endpoint that has failed for days, or that answered 410 Gone, by which a receiver unsubscribes (Standard
 * Webhooks), and notifies its owner. Waiting deliveries are sent once it is enabled again.
 */
async function disableIfFailing(
  app: App,
  { endpoint: { id, url, createdBy } }: Claimed,
  { now, isGone }: { now: Date; isGone: boolean },
): Promise<void> {
  const origin = { ...originWithoutRequest(app), now }
  // In its current state: an administrator may have changed or enabled it again during this attempt.
  const dead = isGone ? { url, enabledAt: { lte: now } } : { failingSince: { lte: daysBefore(now, disabledAfterDays) } }
  await transaction(app, async (tx) => {
    if (!(await patchEndpoint(tx, id, { isEnabled: false }, { isEnabled: true, ...dead }))) return
    // The path of a URL may be a secret.
    const { host } = new URL(url)
    const reason = isGone ? 'gone' : 'failing'
    await record(tx, origin, { type: 'endpoint.disabled', data: { endpointId: id, host, reason } })
    const link = `${app.config.appOrigin}/admin/webhooks/${id}`
    const kind = isGone ? 'endpointGone' : 'endpointDisabled'
    for (const owner of await findEndpointContacts(tx, { createdBy })) {
      await app.outbox.enqueue(tx, composeMail(kind, owner, { now, link, values: { host } }), now)
    }
  })
}
