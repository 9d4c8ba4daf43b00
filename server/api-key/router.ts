import { z } from 'zod'
import {
  ApiKey,
  ApiKeyReference,
  CreateApiKey,
  CreatedApiKey,
  GetApiKey,
  ListApiKeys,
  UpdateApiKey,
} from '../../shared/api-key.ts'
import { Success } from '../../shared/schema.ts'
import { freshProcedure, protectedProcedure } from '../procedure/guards.ts'
import { router } from '../procedure/trpc.ts'
import { deleteApiKey, readApiKey, updateApiKey } from './change-api-key.ts'
import { createApiKey, requireAdministratorForKey } from './create-api-key.ts'
import { listKeys } from './keys.ts'

/** Paths and answers of the API key plugin of better-auth 1.2.7. */
export const apiKeyRouter = router({
  /** Creates a key, which is returned only here. Needs a fresh session: a key outlives it. */
  create: freshProcedure
    .meta({ rest: 'POST /api-key/create', summary: 'Create an API key, which is returned only here' })
    .input(CreateApiKey)
    .output(CreatedApiKey)
    .mutation(({ ctx, input }) => createApiKey(ctx, input)),

  get: protectedProcedure
    .meta({ rest: 'GET /api-key/get', summary: 'One API key, without its secret' })
    .input(GetApiKey)
    .output(ApiKey)
    .query(({ ctx, input }) => readApiKey(ctx, input)),

  list: protectedProcedure
    .meta({ rest: 'GET /api-key/list', summary: 'List the API keys of the caller or an organization' })
    .input(ListApiKeys)
    .output(z.array(ApiKey))
    .query(async ({ ctx, input: { organizationId } }) => {
      if (organizationId === undefined) return listKeys(ctx.db, { userId: ctx.user.id })
      await requireAdministratorForKey(ctx, organizationId)
      return listKeys(ctx.db, { organizationId })
    }),

  update: freshProcedure
    .meta({
      rest: 'POST /api-key/update',
      summary: 'Change an API key: its name, expiry, permissions, or whether it is enabled',
    })
    .input(UpdateApiKey)
    .output(ApiKey)
    .mutation(({ ctx, input }) => updateApiKey(ctx, input)),

  delete: protectedProcedure
    .meta({ rest: 'POST /api-key/delete', summary: 'Delete an API key' })
    .input(ApiKeyReference)
    .output(Success)
    .mutation(async ({ ctx, input }) => {
      await deleteApiKey(ctx, input.keyId)
      return { success: true }
    }),
})
