import { z } from 'zod'
import { eventTypes } from './event.ts'
import { Id, Timestamp } from './schema.ts'

/** An endpoint that events are sent to, as shown in a list, without the secret. */
export const Endpoint = z.object({
  id: z.string(),
  url: z.string(),
  /** Event types that are sent. Empty means all. */
  types: z.array(z.string()),
  description: z.string(),
  enabled: z.boolean(),
  /** The time since which no delivery has succeeded. After five days the endpoint is disabled. */
  failingSince: Timestamp.nullable(),
  createdAt: Timestamp,
})

/** `whsec_` and base64, as in Standard Webhooks. Shown only when it is created. */
export const EndpointSecret = z.object({ secret: z.string() })
export const CreatedEndpoint = Endpoint.extend(EndpointSecret.shape)

/** An https URL. The server checks that it leads to a public network, when it is saved and on each connection. */
const EndpointUrl = z.string().trim().min(1).max(2048).transform(normalizeUrl)

/** The URL that is called: normalized by the URL parser, without the fragment, which is not sent. */
function normalizeUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  url.hash = ''
  return url.href === `${text}/` ? text : url.href
}

const Types = z.array(z.enum(eventTypes)).max(eventTypes.length)
const Description = z.string().trim().max(200)

export const CreateEndpoint = z.object({
  url: EndpointUrl,
  types: Types.default([]),
  description: Description.default(''),
})
export const EndpointReference = z.object({ endpointId: Id })
export const UpdateEndpoint = EndpointReference.extend({
  url: EndpointUrl.optional(),
  types: Types.optional(),
  enabled: z.boolean().optional(),
  description: Description.optional(),
})

/** `pending` while another attempt is due, `failed` after the last one. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
/**
 * Why there was no response. `SECRET_LOST`: the signing secret was encrypted with an AUTH_SECRET that has been removed.
 */
const deliveryFailures = ['ADDRESS_NOT_ALLOWED', 'TIMEOUT', 'UNREACHABLE', 'SECRET_LOST'] as const

export const Delivery = z.object({
  /** Id of the event and of the endpoint, separated by a dot. Sorts by time. */
  id: z.string(),
  endpointId: z.string(),
  eventId: z.string(),
  type: z.string(),
  /** Number of attempts so far. */
  attempt: z.int(),
  status: z.enum(deliveryStatuses),
  /** HTTP status of the last response. Null if there was none. */
  responseStatus: z.int().nullable(),
  /** Start of the last response, at most 1 kB. */
  response: z.string().nullable(),
  failure: z.enum(deliveryFailures).nullable(),
  nextTryAt: Timestamp.nullable(),
  createdAt: Timestamp,
})

const DeliveryId = z.string().min(1).max(128)

/** Newest first. `cursor` is the id of the last delivery of the previous page. */
export const ListDeliveries = EndpointReference.extend({
  status: z.enum(deliveryStatuses).optional(),
  cursor: DeliveryId.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export const DeliveryReference = z.object({ deliveryId: DeliveryId })

/** The body that is sent. `data` has the fields of the event's type, and the actor, subject and organization. */
export const WebhookBody = z.object({
  id: z.string(),
  type: z.string(),
  timestamp: Timestamp,
  data: z.looseObject({
    actorId: z.string().nullable(),
    userId: z.string().nullable(),
    organizationId: z.string().nullable(),
  }),
})
export type WebhookBody = z.output<typeof WebhookBody>

/** A delivery with the body of its event, at the time of the event: each attempt has its own `timestamp`. */
export const DeliveryDetails = Delivery.extend({
  /** Null once the event has exceeded its retention. */
  body: WebhookBody.nullable(),
})

/** The events after a given one, in causal order. A reader that polls repeatedly misses none. */
export const ListPublishedEvents = z
  .object({
    after: Id.optional(),
    limit: z.coerce.number().int().min(1).max(100).default(100),
  })
  .default({ limit: 100 })
export const PublishedEvents = z.object({ events: z.array(WebhookBody) })
