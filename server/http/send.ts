import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { refusals } from '../../shared/errors.ts'
import type { Refusal } from '../foundation/refusal.ts'
import type { PdfDocument } from '../procedure/document.ts'
import { refusalBody } from '../procedure/errors.ts'

/** Sends a refusal as `{ code, message }` with its status. */
export function sendRefusal(response: Response, refusal: Refusal): void {
  response.setHeader('Cache-Control', 'no-store')
  // May have been set for a file that then could not be sent.
  response.removeHeader('Content-Encoding')
  sendJson(response, JSON.stringify(refusalBody(refusal)), refusals[refusal.key].status)
}

/** Sends serialized JSON in a single write. */
export function sendJson(response: Response, text: string, status = 200): void {
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

/** Like `sendJson`, but compressed if the text is large and the client accepts gzip. */
export async function sendCompressedJson(
  request: Request,
  response: Response,
  text: string,
  status = 200,
): Promise<void> {
  if (text.length < minCompressedCharacters) return sendJson(response, text, status)
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  await sendLarge(request, response, text)
}

/**
 * Sends a large text, compressed if the client accepts gzip. A text that never changes is compressed once, into `cache`.
 */
export async function sendLarge(
  request: Request,
  response: Response,
  text: string,
  cache: { compressed?: Promise<Buffer> } = {},
): Promise<void> {
  response.vary('Accept-Encoding')
  const isCompressed = mayCompress(request) && request.acceptsEncodings('gzip') !== false
  const bytes = isCompressed ? await (cache.compressed ??= compress(text)) : Buffer.from(text)
  if (isCompressed) response.setHeader('Content-Encoding', 'gzip')
  response.setHeader('Content-Length', bytes.length)
  response.end(bytes)
}

/** Sends a document, which browsers save and never display as a page of this origin. */
export function sendPdf(response: Response, { pdf, name }: PdfDocument): void {
  response.setHeader('Content-Type', 'application/pdf')
  response.setHeader('Content-Disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '_')}.pdf"`)
  response.setHeader('Content-Length', pdf.length)
  response.end(pdf)
}

/** Redirects to exactly the text that was checked. Express's own redirect would encode it again. */
export function redirect(response: Response, target: string): void {
  response.statusCode = 302
  response.setHeader('Location', target)
  response.end()
}
