import type { z } from 'zod'
import type { CreatedEndpoint, CreateEndpoint, Endpoint, UpdateEndpoint } from '../../shared/webhook.ts'
import { lockAdministratorsAndCaller } from '../admin/lock.ts'
import { record } from '../event/record.ts'
import { newId } from '../foundation/crypto.ts'
import { isPublicUrl } from '../foundation/outgoing.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context, CallerContext } from '../request/context.ts'
import { cancelUnsubscribedDeliveries } from './deliveries.ts'
import {
  countEndpoints,
  findEndpoint,
  insertEndpoint,
  maxEndpoints,
  newSigningSecret,
  patchEndpoint,
  previousSecretExpiresAt,
  removeEndpoint,
  encryptSecret,
  toEndpoint,
} from './endpoints.ts'

/** Adds an endpoint. Its signing secret is returned only here. */
export async function createEndpoint(
  ctx: CallerContext,
  { url, types, description }: z.output<typeof CreateEndpoint>,
): Promise<z.output<typeof CreatedEndpoint>> {
  await requirePublicUrl(ctx, url)
  const id = newId()
  const secret = newSigningSecret()
  return transaction(ctx, async (tx) => {
    await lockAdministratorsAndCaller(tx, ctx)
    if ((await countEndpoints(tx)) >= maxEndpoints) refuse('ENDPOINT_LIMIT_REACHED')
    const sealed = encryptSecret(ctx.keys.storage, secret, id)
    const data = {
      id,
      url,
      types,
      description,
      secret: sealed,
      createdBy: ctx.user.id,
      createdAt: ctx.now,
      enabledAt: ctx.now,
    }
    const row = await insertEndpoint(tx, data)
    await record(tx, ctx, { type: 'endpoint.created', ...by(ctx), data: aboutEndpoint(row) })
    return { ...toEndpoint(row), secret }
  })
}

/** Changes an endpoint's URL, event types or state. Enabling it retries the deliveries that were waiting for it. */
export async function updateEndpoint(
  ctx: CallerContext,
  { endpointId: id, url, types, enabled, description }: z.output<typeof UpdateEndpoint>,
): Promise<z.output<typeof Endpoint>> {
  if (url !== undefined) await requirePublicUrl(ctx, url)
  const changed = await transaction(ctx, async (tx) => {
    await lockAdministratorsAndCaller(tx, ctx)
    const changes = {
      ...(url !== undefined && { url }),
      ...(types !== undefined && { types }),
      ...(description !== undefined && { description }),
      ...(enabled !== undefined && { isEnabled: enabled }),
      ...(enabled && { enabledAt: ctx.now }),
      // The five days until it is disabled restart.
      ...((enabled || url !== undefined) && { failingSince: null }),
    }
    const row = (await patchEndpoint(tx, id, changes)) ?? refuse('ENDPOINT_NOT_FOUND')
    const fields = Object.entries({ url, types, enabled, description }).flatMap(([field, value]) =>
      value === undefined ? [] : [field],
    )
    await record(tx, ctx, { type: 'endpoint.updated', ...by(ctx), data: { ...aboutEndpoint(row), fields } })
    return toEndpoint(row)
  })
  if (types !== undefined && (await cancelUnsubscribedDeliveries(ctx.db, id))) void cancelRemaining(ctx, id)
  return changed
}

/**
 * Runs after the response: an endpoint that was unreachable for days may have millions of deliveries. If this ends
 * early, the remaining ones are sent.
 */
async function cancelRemaining({ db, log }: Context, endpointId: string): Promise<void> {
  try {
    while (await cancelUnsubscribedDeliveries(db, endpointId));
  } catch (error) {
    log.warn({ err: error, endpointId }, 'deliveries of other event types are still queued')
  }
}

/** Removes an endpoint. Its deliveries, of which there may be many, are removed by the sweep. */
export async function deleteEndpoint(ctx: CallerContext, id: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockAdministratorsAndCaller(tx, ctx)
    const row = (await findEndpoint(tx, id)) ?? refuse('ENDPOINT_NOT_FOUND')
    await removeEndpoint(tx, id)
    await record(tx, ctx, { type: 'endpoint.deleted', ...by(ctx), data: aboutEndpoint(row) })
  })
}

/** Gives an endpoint a new signing secret. The former one also signs for a day, so that a receiver can switch. */
export async function rotateSecret(ctx: CallerContext, id: string): Promise<{ secret: string }> {
  const secret = newSigningSecret()
  return transaction(ctx, async (tx) => {
    await lockAdministratorsAndCaller(tx, ctx)
    const row = (await findEndpoint(tx, id)) ?? refuse('ENDPOINT_NOT_FOUND')
    const sealed = encryptSecret(ctx.keys.storage, secret, id)
    const former = { previousSecret: row.secret, previousSecretExpiresAt: previousSecretExpiresAt(ctx.now) }
    await patchEndpoint(tx, id, { secret: sealed, ...former })
    await record(tx, ctx, { type: 'endpoint.secret_rotated', ...by(ctx), data: aboutEndpoint(row) })
    return { secret }
  })
}

const by = ({ user }: CallerContext) => ({ actorId: user.id, subjectId: null })

/** Data of an event about an endpoint: only the host of its URL, whose path can be secret. */
const aboutEndpoint = ({ id, url }: { id: string; url: string }) => ({ endpointId: id, host: new URL(url).host })

async function requirePublicUrl({ config }: Context, url: string): Promise<void> {
  const isAllowed = await isPublicUrl(url, { mayBePrivate: config.mayCallPrivateAddresses })
  if (!isAllowed) refuse('ENDPOINT_URL_IS_NOT_ALLOWED')
}
