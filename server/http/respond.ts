import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { refusals } from '../../shared/errors.ts'
import type { App } from '../dependencies.ts'
import type { Refusal } from '../foundation/refusal.ts'
import type { PdfDocument } from '../procedure/document.ts'
import { refusalBody, report, toRefusal } from '../procedure/errors.ts'
import { createContext, type Context } from '../request/context.ts'

/** The result of a call: JSON text, a redirect target, or a document. */
export type Answer = { json: string } | { redirect: string } | { pdf: PdfDocument }

/** What answers a request, given its context. */
export type Serve = (ctx: Context, request: Request, response: Response) => Promise<void>

/**
 * The one envelope of all requests but those over tRPC, which answers several calls at once: creates the context, and
 * converts any error into a refusal, which is logged once. Nothing is cached unless `serve` says so. `path` identifies
 * the call in the log.
 */
export function handle(app: App, path: string, serve: Serve) {
  return async (request: Request, response: Response): Promise<void> => {
    const ctx = createContext(app, request, response)
    response.setHeader('Cache-Control', 'no-store')
    try {
      await serve(ctx, request, response)
    } catch (error) {
      const refusal = toRefusal(error, request.method === 'GET' ? 'query' : 'mutation')
      await report(ctx, refusal, path)
      answerRefusal(response, refusal)
    }
  }
}

/** Handles a request for REST paths and links alike: runs the call, and sends its result. */
export function respond(app: App, path: string, call: (ctx: Context, request: Request) => Promise<Answer>) {
  return handle(app, path, async (ctx, request, response) => {
    const answer = await call(ctx, request)
    if ('json' in answer) await answerJsonTo(request, response, answer.json)
    else if ('pdf' in answer) answerPdf(response, answer.pdf)
    else redirect(response, answer.redirect)
  })
}

/** Sends a refusal as `{ code, message }` with its status. */
export function answerRefusal(response: Response, refusal: Refusal): void {
  response.setHeader('Cache-Control', 'no-store')
  // May have been set for a file that then could not be sent.
  response.removeHeader('Content-Encoding')
  answerJson(response, JSON.stringify(refusalBody(refusal)), refusals[refusal.key].status)
}

/** Sends serialized JSON in a single write. */
export function answerJson(response: Response, text: string, status = 200): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.end(text)
}

/** Smaller responses fit into one or two packets, and cost more to compress than to send. */
export const minCompressedCharacters = 2048

const compress = promisify(gzip)

/**
 * Whether a response may be compressed. Responses to cross-site requests may not: the length of a compressed response
 * reveals whether it contains text from the request (BREACH).
 */
export function mayCompress(request: IncomingMessage): boolean {
  return !/^(?:cross|same)-site$/.test(String(request.headers['sec-fetch-site'] ?? ''))
}

/** Like `answerJson`, but compressed if the text is large and the client accepts gzip. */
export async function answerJsonTo(request: Request, response: Response, text: string, status = 200): Promise<void> {
  if (text.length < minCompressedCharacters) return answerJson(response, text, status)
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  await sendLarge(request, response, text)
}

/**
 * Sends a large text, compressed if the client accepts gzip. A text that never changes is compressed once, into `kept`.
 */
export async function sendLarge(
  request: Request,
  response: Response,
  text: string,
  kept: { compressed?: Promise<Buffer> } = {},
): Promise<void> {
  response.vary('Accept-Encoding')
  const isCompressed = mayCompress(request) && request.acceptsEncodings('gzip') !== false
  const bytes = isCompressed ? await (kept.compressed ??= compress(text)) : Buffer.from(text)
  if (isCompressed) response.setHeader('Content-Encoding', 'gzip')
  response.setHeader('Content-Length', bytes.length)
  response.end(bytes)
}

/** Sends a document, which browsers save and never display as a page of this origin. */
function answerPdf(response: Response, { bytes, name }: PdfDocument): void {
  response.setHeader('Content-Type', 'application/pdf')
  response.setHeader('Content-Disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '_')}.pdf"`)
  response.setHeader('Content-Length', bytes.length)
  response.end(bytes)
}

/** Redirects to exactly the text that was checked. Express's own redirect would encode it again. */
function redirect(response: Response, target: string): void {
  response.statusCode = 302
  response.setHeader('Location', target)
  response.end()
}

/** Whether every percent sign in the path starts a valid encoded character (SEC-39). */
export function isDecodable(path: string): boolean {
  try {
    // The result is used because a bundler may remove a call whose only effect is to throw.
    return decodeURIComponent(path).length > 0
  } catch {
    return false
  }
}
