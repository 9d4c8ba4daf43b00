import type { z } from 'zod'
import type { Client, CreateClient, CreatedClient, UpdateClient } from '../../shared/oauth.ts'
import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import {
  createClient as storeClient,
  deleteClient as removeClient,
  grantProblem,
  grantsOf,
  replaceSecret,
  updateClient as storeChanges,
  uriProblem,
  urisOf,
} from '../oauth/clients.ts'
import { shownClient } from './clients.ts'
import { lockCallingAdministrator } from './lock.ts'
import type { CallerContext } from '../request/context.ts'

/** Creates a client of the OpenID issuer. Its secret is returned only here. */
export async function createClient(
  ctx: CallerContext,
  input: z.output<typeof CreateClient>,
): Promise<z.output<typeof CreatedClient>> {
  if (urisOf(input).some((uri) => uriProblem(uri) !== undefined)) refuse('CLIENT_URI_IS_INVALID')
  if (grantProblem(input)) refuse('CLIENT_GRANTS_ARE_INVALID')
  return transaction(ctx, async (tx) => {
    await lockCallingAdministrator(tx, ctx)
    const { row, secret } = await storeClient(tx, { ...input, isFirstParty: false, now: ctx.now })
    const data = { clientId: row.id, name: row.name }
    await record(tx, ctx, { type: 'client.created', actorId: ctx.user.id, subjectId: null, data })
    return { ...shownClient(row), secret: secret ?? null }
  })
}

/**
 * Changes the name, logo and URIs of a client. Those of a first-party client are changed with `npm run client` only,
 * because its codes identify users who were not asked.
 */
export async function updateClient(
  ctx: CallerContext,
  { clientId, ...input }: z.output<typeof UpdateClient>,
): Promise<z.output<typeof Client>> {
  if (urisOf(input).some((uri) => uriProblem(uri) !== undefined)) refuse('CLIENT_URI_IS_INVALID')
  return transaction(ctx, async (tx) => {
    await lockCallingAdministrator(tx, ctx)
    const changed = (await storeChanges(tx, clientId, { changes: input, now: ctx.now })) ?? refuse('CLIENT_NOT_FOUND')
    const { row, fields } = changed
    if (row.isFirstParty) refuse('CLIENT_NOT_FOUND')
    if (grantProblem(grantsOf(row))) refuse('CLIENT_GRANTS_ARE_INVALID')
    const data = { clientId, name: row.name, fields, redirectUris: row.redirectUris }
    await record(tx, ctx, { type: 'client.updated', actorId: ctx.user.id, subjectId: null, data })
    return shownClient(row)
  })
}

/** Deletes a client. The grants of its users are deleted with it. */
export async function deleteClient(ctx: CallerContext, clientId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockCallingAdministrator(tx, ctx)
    const name = (await removeClient(tx, clientId)) ?? refuse('CLIENT_NOT_FOUND')
    await record(tx, ctx, { type: 'client.deleted', actorId: ctx.user.id, subjectId: null, data: { clientId, name } })
  })
}

/** Gives a client a new secret. The former one is refused immediately. */
export async function replaceClientSecret(ctx: CallerContext, clientId: string): Promise<{ secret: string }> {
  return transaction(ctx, async (tx) => {
    await lockCallingAdministrator(tx, ctx)
    const secret = (await replaceSecret(tx, clientId, ctx.now)) ?? refuse('CLIENT_NOT_FOUND')
    const { name } = await tx.oAuthClient.findUniqueOrThrow({ where: { id: clientId } })
    const data = { clientId, name }
    await record(tx, ctx, { type: 'client.secret_replaced', actorId: ctx.user.id, subjectId: null, data })
    return { secret }
  })
}
