import type { NextFunction, Request, Response } from 'express'
import type { App } from '../../dependencies.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { logRefusal, setRefusalHeaders, toRefusal } from '../../procedure/errors.ts'
import type { Reply } from '../../request/context.ts'
import { sendRefusal } from '../send.ts'

/** Converts any error thrown by middleware into a refusal of the catalogue. Stack traces are never sent (SEC-91). */
export function errorHandler({ log }: App) {
  return (error: unknown, request: Request, response: Response & Reply, next: NextFunction) => {
    if (response.headersSent) {
      next(error)
      return
    }
    const refusal = fromExpress(error) ?? toRefusal(error, request.method === 'GET' ? 'query' : 'mutation')
    logRefusal(log, { path: withoutToken(request.path), requestId: response.requestId }, refusal)
    setRefusalHeaders(response, refusal)
    sendRefusal(response, refusal)
  }
}

/** Maps the status of errors from Express and its body parser to a refusal. */
function fromExpress(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined
  if (error.status === 413) return new Refusal('PAYLOAD_TOO_LARGE')
  if (error.status === 415) return new Refusal('UNSUPPORTED_MEDIA_TYPE')
  return typeof error.status === 'number' && error.status < 500 ? new Refusal('INVALID_BODY') : undefined
}

/** The path to log. The path of an emailed link is cut, because it ends with the secret. */
function withoutToken(path: string): string {
  return path.replace(/(\/reset-password\/)[^/]*/, '$1…')
}
