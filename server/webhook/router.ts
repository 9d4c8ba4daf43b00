import { z } from 'zod'
import { Status } from '../../shared/schema.ts'
import {
  CreatedEndpoint,
  CreateEndpoint,
  Delivery,
  DeliveryDetails,
  DeliveryReference,
  Endpoint,
  EndpointReference,
  EndpointSecret,
  ListDeliveries,
  PublishedEvents,
  ListPublishedEvents,
  UpdateEndpoint,
} from '../../shared/webhook.ts'
import { administratorProcedure, freshAdministratorProcedure } from '../admin/guard.ts'
import { refuse } from '../foundation/refusal.ts'
import { router } from '../procedure/trpc.ts'
import { createEndpoint, deleteEndpoint, rotateSecret, updateEndpoint } from './change-endpoint.ts'
import { findDelivery, listDeliveries, toDelivery } from './deliveries.ts'
import { listEndpoints, toEndpoint } from './endpoints.ts'
import { readEvents } from './read-events.ts'
import { sendAgain, sendTest } from './send-again.ts'

/**
 * Events for other systems: the endpoints that they are sent to, the deliveries, and a list to read from. For
 * administrators.
 */
export const webhookRouter = router({
  endpoints: administratorProcedure
    .meta({ rest: 'GET /api/events/list-endpoints', summary: 'List webhook endpoints' })
    .output(z.array(Endpoint))
    .query(async ({ ctx }) => (await listEndpoints(ctx.db)).map(toEndpoint)),

  /** Adds an endpoint. Its signing secret is returned only here. */
  createEndpoint: freshAdministratorProcedure
    .meta({ rest: 'POST /api/events/create-endpoint', summary: 'Add a webhook endpoint' })
    .input(CreateEndpoint)
    .output(CreatedEndpoint)
    .mutation(({ ctx, input }) => createEndpoint(ctx, input)),

  updateEndpoint: freshAdministratorProcedure
    .meta({ rest: 'POST /api/events/update-endpoint', summary: 'Update or disable a webhook endpoint' })
    .input(UpdateEndpoint)
    .output(Endpoint)
    .mutation(({ ctx, input }) => updateEndpoint(ctx, input)),

  deleteEndpoint: freshAdministratorProcedure
    .meta({ rest: 'POST /api/events/delete-endpoint', summary: 'Delete a webhook endpoint' })
    .input(EndpointReference)
    .output(Status)
    .mutation(async ({ ctx, input: { endpointId } }) => {
      await deleteEndpoint(ctx, endpointId)
      return { status: true }
    }),

  /** Gives an endpoint a new signing secret. The former one also signs for a day. */
  rotateSecret: freshAdministratorProcedure
    .meta({ rest: 'POST /api/events/rotate-secret', summary: 'Replace the signing secret of a webhook endpoint' })
    .input(EndpointReference)
    .output(EndpointSecret)
    .mutation(({ ctx, input: { endpointId } }) => rotateSecret(ctx, endpointId)),

  sendTest: administratorProcedure
    .meta({ rest: 'POST /api/events/send-test', summary: 'Send a test event to a webhook endpoint' })
    .input(EndpointReference)
    .output(Delivery)
    .mutation(({ ctx, input: { endpointId } }) => sendTest(ctx, endpointId)),

  sendAgain: administratorProcedure
    .meta({ rest: 'POST /api/events/send-again', summary: 'Redeliver an event to a webhook endpoint' })
    .input(DeliveryReference)
    .output(Delivery)
    .mutation(({ ctx, input: { deliveryId } }) => sendAgain(ctx, deliveryId)),

  deliveries: administratorProcedure
    .meta({
      rest: 'GET /api/events/list-deliveries',
      summary: 'List the deliveries of a webhook endpoint, newest first',
    })
    .input(ListDeliveries)
    .output(z.array(Delivery))
    .query(async ({ ctx, input }) => (await listDeliveries(ctx.db, input)).map(toDelivery)),

  delivery: administratorProcedure
    .meta({ rest: 'GET /api/events/get-delivery', summary: 'One delivery with the body of its event' })
    .input(DeliveryReference)
    .output(DeliveryDetails)
    .query(
      async ({ ctx, input: { deliveryId } }) =>
        (await findDelivery(ctx.db, deliveryId)) ?? refuse('DELIVERY_NOT_FOUND'),
    ),

  /** The events after a given one, in causal order. A page with fewer than `limit` is the last. */
  replay: administratorProcedure
    .meta({
      openTo: ['api_key', 'impersonator'],
      rest: 'GET /api/events',
      summary: 'Events after a given one, in the order in which they were recorded',
      requiredPermission: ['event', 'list'],
    })
    .input(ListPublishedEvents)
    .output(PublishedEvents)
    .query(async ({ ctx, input }) => ({ events: await readEvents(ctx, input) })),
})
