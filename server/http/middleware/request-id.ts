import type { NextFunction, Request, Response } from 'express'
import { newId } from '../../foundation/crypto.ts'
import type { Reply } from '../../request/context.ts'

/** Every answer names its request, so that a log line and what a person saw can be brought together. */
export function requestId(_request: Request, response: Response & Reply, next: NextFunction): void {
  response.requestId = newId()
  response.setHeader('X-Request-Id', response.requestId)
  next()
}
