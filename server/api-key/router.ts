import { z } from 'zod'
import { Success } from '../../shared/account.ts'
import {
  ApiKey,
  ApiKeyNamed,
  CreateApiKey,
  CreatedApiKey,
  GetApiKey,
  ListApiKeys,
  UpdateApiKey,
} from '../../shared/api-key.ts'
import { freshProcedure, protectedProcedure } from '../procedure/guards.ts'
import { router } from '../procedure/trpc.ts'
import { deleteApiKey, readApiKey, updateApiKey } from './change-api-key.ts'
import { createApiKey, refuseUnlessAdministrator } from './create-api-key.ts'
import { listKeys } from './keys.ts'

/** Paths and answers of the API key plugin of better-auth 1.2.7. */
export const apiKeyRouter = router({
  /** Creates a key, which is returned only here. Needs a fresh session: a key outlives it. */
  create: freshProcedure
    .meta({ rest: 'POST /api-key/create' })
    .input(CreateApiKey)
    .output(CreatedApiKey)
    .mutation(({ ctx, input }) => createApiKey(ctx, input)),

  get: protectedProcedure
    .meta({ rest: 'GET /api-key/get' })
    .input(GetApiKey)
    .output(ApiKey)
    .query(({ ctx, input }) => readApiKey(ctx, input)),

  /** Lists the caller's keys, or all keys of an organization that the caller administers. */
  list: protectedProcedure
    .meta({ rest: 'GET /api-key/list' })
    .input(ListApiKeys)
    .output(z.array(ApiKey))
    .query(async ({ ctx, input: { organizationId } }) => {
      if (organizationId === undefined) return listKeys(ctx.db, { userId: ctx.user.id })
      await refuseUnlessAdministrator(ctx, organizationId)
      return listKeys(ctx.db, { organizationId })
    }),

  update: freshProcedure
    .meta({ rest: 'POST /api-key/update' })
    .input(UpdateApiKey)
    .output(ApiKey)
    .mutation(({ ctx, input }) => updateApiKey(ctx, input)),

  delete: protectedProcedure
    .meta({ rest: 'POST /api-key/delete' })
    .input(ApiKeyNamed)
    .output(Success)
    .mutation(async ({ ctx, input }) => {
      await deleteApiKey(ctx, input.keyId)
      return { success: true }
    }),
})
