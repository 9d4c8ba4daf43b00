import type { IncomingMessage } from 'node:http'
import { json, type NextFunction, raw, type Request, type Response } from 'express'
import { Refusal } from '../../foundation/refusal.ts'

/** Maximum size of a JSON body (SEC-80). */
const maxBody = '100kb'

/** `readBody` has compared the content type. */
const parse = json({ type: () => true, limit: maxBody, inflate: false })

/** Parses the JSON body of a POST. Other content types are refused. A POST without a body is allowed. */
export function readBody(request: Request, response: Response, next: NextFunction): void {
  if (request.method !== 'POST' || !hasBody(request)) next()
  else if (!isJson(request)) next(new Refusal('UNSUPPORTED_MEDIA_TYPE'))
  else parse(request, response, next)
}

/** Most clients send exactly this text. Comparing it saves parsing the header, 2 % of the CPU time of a short call. */
function isJson(request: Request): boolean {
  return request.headers['content-type'] === 'application/json' || Boolean(request.is('application/json'))
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Maximum size of a picture. */
const maxPicture = '1mb'

/** Reads the body as the bytes of a picture, whatever its content type says. */
export const readPicture = raw({ type: () => true, limit: maxPicture, inflate: false })
