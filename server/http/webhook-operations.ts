import { z } from 'zod'
import { eventData, eventTypes } from '../../shared/event.ts'
import { WebhookBody } from '../../shared/webhook.ts'
import { schemaOf } from './openapi-schema.ts'

type Json = Record<string, unknown>

/** The requests that endpoints receive, one for each type of event (OpenAPI 3.1, `webhooks`). */
export function webhookOperations(): Record<string, Json> {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: operationOf(type) }]))
}

function operationOf(type: (typeof eventTypes)[number]): Json {
  const { data, ...fields } = WebhookBody.shape
  const body = z.object({ ...fields, type: z.literal(type), data: data.extend(eventData[type].shape) })
  return {
    operationId: `event.${type}`,
    tags: ['webhook'],
    summary: `Event ${type}`,
    description:
      'Signed according to Standard Webhooks. The id is the same in every attempt; the time is that of the attempt.',
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'output') } } },
    responses: { '2XX': { description: 'Received. Any other answer is tried again.' } },
  }
}
