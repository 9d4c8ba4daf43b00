import type { Event } from '../../prisma/client/client.ts'
import type { WebhookBody } from '../../shared/webhook.ts'
import { isRecord } from '../foundation/records.ts'

export type SentEvent = Pick<Event, 'id' | 'type' | 'actorId' | 'subjectId' | 'organizationId' | 'data'>

/** The body sent for an event, at a given time. It omits the IP address and device of the event's actor. */
export function webhookBody(event: SentEvent, timestamp: Date): WebhookBody {
  const { id, type, actorId, subjectId: userId, organizationId } = event
  const data = isRecord(event.data) ? event.data : {}
  return { id, type, timestamp, data: { actorId, userId, organizationId, ...data } }
}
