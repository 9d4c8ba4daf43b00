import type { NextFunction, Request, Response } from 'express'
import { newId } from '../../foundation/crypto.ts'
import type { Reply } from '../../request/context.ts'

/** Adds a request id to every response, so that an error seen by a user can be matched with its log line. */
export function requestId(_request: Request, response: Response & Reply, next: NextFunction): void {
  response.requestId = newId()
  response.setHeader('X-Request-Id', response.requestId)
  next()
}
