import { z } from 'zod'
import { Client, ClientReference, CreateClient, CreatedClient, NewSecret, UpdateClient } from '../../shared/oauth.ts'
import { Status } from '../../shared/schema.ts'
import { addClient, editClient, type ClientEditor, removeClient, replaceClientSecret } from '../oauth/change-clients.ts'
import { listClients } from '../oauth/clients.ts'
import type { CallerContext } from '../request/context.ts'
import { toClient } from './clients.ts'
import { administratorProcedure, freshAdministratorProcedure } from './guard.ts'
import { lockAdministratorsAndCaller } from './lock.ts'

/** The calling administrator, who cannot change first-party clients. */
function asClientEditor(ctx: CallerContext): ClientEditor {
  return {
    deps: ctx,
    origin: ctx,
    actor: { actorId: ctx.user.id, subjectId: null },
    lock: (tx) => lockAdministratorsAndCaller(tx, ctx),
    mayChangeFirstParty: false,
  }
}

/** Clients of the OpenID issuer: the applications that users sign in to with Foyer. */
export const clientProcedures = {
  clients: administratorProcedure
    .meta({ rest: 'GET /admin/list-clients', summary: 'List the applications that use the OpenID issuer' })
    .output(z.array(Client))
    .query(async ({ ctx }) => (await listClients(ctx.db)).map(toClient)),

  /** Creates a client. Its secret is returned only here. */
  createClient: freshAdministratorProcedure
    .meta({ rest: 'POST /admin/create-client', summary: 'Add an application; its secret is returned only here' })
    .input(CreateClient)
    .output(CreatedClient)
    .mutation(async ({ ctx, input }) => {
      const { row, secret = null } = await addClient(asClientEditor(ctx), { ...input, isFirstParty: false })
      return { ...toClient(row), secret }
    }),

  updateClient: freshAdministratorProcedure
    .meta({ rest: 'POST /admin/update-client', summary: 'Change an application' })
    .input(UpdateClient)
    .output(Client)
    .mutation(async ({ ctx, input: { clientId, ...changes } }) =>
      toClient(await editClient(asClientEditor(ctx), clientId, changes)),
    ),

  /** Gives a client a new secret. The former one is refused immediately. */
  replaceClientSecret: freshAdministratorProcedure
    .meta({ rest: 'POST /admin/replace-client-secret', summary: 'Replace the secret of an application' })
    .input(ClientReference)
    .output(NewSecret)
    .mutation(async ({ ctx, input: { clientId } }) => ({
      secret: await replaceClientSecret(asClientEditor(ctx), clientId),
    })),

  deleteClient: freshAdministratorProcedure
    .meta({ rest: 'POST /admin/delete-client', summary: 'Delete an application, with its grants and tokens' })
    .input(ClientReference)
    .output(Status)
    .mutation(async ({ ctx, input: { clientId } }) => {
      await removeClient(asClientEditor(ctx), clientId)
      return { status: true }
    }),
}
