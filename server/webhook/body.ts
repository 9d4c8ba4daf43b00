import type { Event } from '../../prisma/client/client.ts'
import type { WebhookBody } from '../../shared/webhook.ts'
import { isRecord } from '../foundation/records.ts'

export type SentEvent = Pick<Event, 'id' | 'type' | 'actorId' | 'subjectId' | 'organizationId' | 'data'>

/** What is sent of an event, at a time. Address and device of who caused it are not. */
export function webhookBody(event: SentEvent, timestamp: Date): WebhookBody {
  const { id, type, actorId, subjectId: userId, organizationId } = event
  const data = isRecord(event.data) ? event.data : {}
  return { id, type, timestamp, data: { actorId, userId, organizationId, ...data } }
}
