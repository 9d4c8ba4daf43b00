import { createExpressMiddleware } from '@trpc/server/adapters/express'
import { Router } from 'express'
import type { App } from '../dependencies.ts'
import { Refusal } from '../foundation/refusal.ts'
import { createContext } from '../request/context.ts'
import { appRouter } from '../router.ts'
import { readBody } from './middleware/body.ts'
import { answerRefusal, isDecodable } from './respond.ts'

/** Calls in one batch (SEC-82). */
const maxBatch = 20

/** The same procedures for the typed hooks. */
export function trpcRoutes(app: App): Router {
  const routes = Router()
  routes.use(
    readBody,
    (request, response, next) => {
      response.setHeader('Cache-Control', 'no-store')
      // Streamed answers leave before a procedure has set its cookie, so nobody may ask for them.
      delete request.headers['trpc-accept']
      // A call without input has no body; tRPC would read the empty text as broken JSON.
      if (request.method === 'POST') request.body ??= {}
      // tRPC decodes the path without looking: a malformed percent would be a fault of the server's.
      if (isDecodable(request.path)) next()
      else answerRefusal(response, new Refusal('NOT_FOUND'))
    },
    createExpressMiddleware({
      router: appRouter,
      createContext: ({ req, res }) => createContext(app, req, res),
      maxBatchSize: maxBatch,
    }),
  )
  return routes
}
