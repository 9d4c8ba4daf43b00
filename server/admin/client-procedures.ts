import { z } from 'zod'
import { Status } from '../../shared/account.ts'
import { Client, ClientNamed, CreateClient, CreatedClient, NewSecret, UpdateClient } from '../../shared/oauth.ts'
import { listClients } from '../oauth/clients.ts'
import { shownClient } from './clients.ts'
import { createClient, deleteClient, replaceClientSecret, updateClient } from './create-client.ts'
import { administrator, freshAdministrator } from './guard.ts'

/** Clients of the OpenID issuer: the applications that users sign in to with Foyer. */
export const clientProcedures = {
  clients: administrator
    .meta({ rest: 'GET /admin/list-clients' })
    .output(z.array(Client))
    .query(async ({ ctx }) => (await listClients(ctx.db)).map(shownClient)),

  /** Creates a client. Its secret is returned only here. */
  createClient: freshAdministrator
    .meta({ rest: 'POST /admin/create-client' })
    .input(CreateClient)
    .output(CreatedClient)
    .mutation(({ ctx, input }) => createClient(ctx, input)),

  updateClient: freshAdministrator
    .meta({ rest: 'POST /admin/update-client' })
    .input(UpdateClient)
    .output(Client)
    .mutation(({ ctx, input }) => updateClient(ctx, input)),

  /** Gives a client a new secret. The former one is refused immediately. */
  replaceClientSecret: freshAdministrator
    .meta({ rest: 'POST /admin/replace-client-secret' })
    .input(ClientNamed)
    .output(NewSecret)
    .mutation(({ ctx, input: { clientId } }) => replaceClientSecret(ctx, clientId)),

  deleteClient: freshAdministrator
    .meta({ rest: 'POST /admin/delete-client' })
    .input(ClientNamed)
    .output(Status)
    .mutation(async ({ ctx, input: { clientId } }) => {
      await deleteClient(ctx, clientId)
      return { status: true }
    }),
}
