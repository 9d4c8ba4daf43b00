import { createExpressMiddleware } from '@trpc/server/adapters/express'
import compression from 'compression'
import { Router } from 'express'
import type { App } from '../dependencies.ts'
import { Refusal } from '../foundation/refusal.ts'
import { createContext } from '../request/context.ts'
import { appRouter } from '../router.ts'
import { readBody } from './middleware/body.ts'
import { answerRefusal, isDecodable, mayCompress, minCompressedCharacters } from './respond.ts'

/** Maximum number of calls in a batch (SEC-82). */
const maxBatch = 20

/** Serves the procedures over tRPC, for the client's typed hooks. */
export function trpcRoutes(app: App): Router {
  const routes = Router()
  routes.use(
    compression({ threshold: minCompressedCharacters, filter: mayCompress }),
    readBody,
    (request, response, next) => {
      response.setHeader('Cache-Control', 'no-store')
      // Streamed responses are sent before a procedure can set its cookie, so clients may not request them.
      delete request.headers['trpc-accept']
      // A call without input has no body, and tRPC would parse the empty string as invalid JSON.
      if (request.method === 'POST') request.body ??= {}
      // tRPC decodes the path without validation: a malformed percent-encoding would cause a 500.
      if (isDecodable(request.path)) next()
      else answerRefusal(response, new Refusal('NOT_FOUND'))
    },
    createExpressMiddleware({
      router: appRouter,
      createContext: ({ req, res }) => createContext(app, req, res),
      maxBatchSize: maxBatch,
      // The adapter replaces the header that was set for cross-origin requests.
      responseMeta: () => ({ headers: new Headers({ vary: 'Origin' }) }),
    }),
  )
  return routes
}
