import { createExpressMiddleware } from '@trpc/server/adapters/express'
import { Router } from 'express'
import { createContext, type App } from '../context.ts'
import { appRouter } from '../router.ts'
import { Refusal } from '../foundation/refusal.ts'
import { answerRefusal, readBody } from './gates.ts'

/** Calls in one batch (SEC-82). */
const largestBatch = 20

/** The same procedures for the typed hooks. */
export function trpcDoor(app: App): Router {
  const door = Router()
  door.use(
    readBody,
    (request, response, next) => {
      response.setHeader('Cache-Control', 'no-store')
      if (isDecodable(request.path)) next()
      else answerRefusal(response, new Refusal('NOT_FOUND'))
    },
    createExpressMiddleware({
      router: appRouter,
      createContext: ({ req, res }) => createContext(app, req, res),
      maxBatchSize: largestBatch,
    }),
  )
  return door
}

/** tRPC decodes the path without looking: a malformed percent would be a fault of the server's. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
