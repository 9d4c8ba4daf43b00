import { createExpressMiddleware } from '@trpc/server/adapters/express'
import { Router } from 'express'
import { createContext, type App } from '../context.ts'
import { appRouter } from '../router.ts'
import { readBody } from './gates.ts'

/** Calls in one batch (SEC-82). */
const largestBatch = 20

/** The same procedures for the typed hooks. */
export function trpcDoor(app: App): Router {
  const door = Router()
  door.use(
    readBody,
    (_request, response, next) => {
      response.setHeader('Cache-Control', 'no-store')
      next()
    },
    createExpressMiddleware({
      router: appRouter,
      createContext: ({ req, res }) => createContext(app, req, res),
      maxBatchSize: largestBatch,
    }),
  )
  return door
}
