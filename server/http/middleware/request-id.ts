import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { newId } from '../../foundation/crypto.ts'
import type { Metrics } from '../../foundation/metrics.ts'
import { traceIdOf } from '../../foundation/trace.ts'
import type { Reply } from '../../request/context.ts'

/**
 * Adds a request id to every response, so that an error seen by a user can be matched with its log line, and the id of
 * the trace that the request belongs to. Counts responses.
 */
export function requestId(metrics: Metrics | undefined): RequestHandler {
  return (request: Request, response: Response & Reply, next: NextFunction): void => {
    response.requestId = newId()
    response.setHeader('X-Request-Id', response.requestId)
    const traceId = traceIdOf(request.headers)
    if (traceId !== undefined) response.setHeader('Trace-Id', traceId)
    if (metrics) response.once('finish', () => metrics.request(response.statusCode))
    next()
  }
}
