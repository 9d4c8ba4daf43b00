import type { Request, Response } from 'express'
import type { App } from '../../dependencies.ts'
import { sha256 } from '../../foundation/crypto.ts'
import { sendJson } from '../send.ts'

/** Seconds for which back ends cache the key set. A key is published a day before it signs. */
const maxAgeSeconds = 300

/** The public keys of all tokens (RFC 7517, 5). Readable by anyone. */
export function keySet(app: App) {
  return async (request: Request, response: Response): Promise<void> => {
    const text = JSON.stringify(await app.signingKeys.publicSet(app.clock()))
    const etag = `"${sha256(text)}"`
    response.setHeader('Cache-Control', `public, max-age=${maxAgeSeconds}`)
    response.setHeader('ETag', etag)
    response.removeHeader('Cross-Origin-Resource-Policy')
    if (!response.hasHeader('Access-Control-Allow-Origin')) response.setHeader('Access-Control-Allow-Origin', '*')
    const known = request.headers['if-none-match']?.split(/\s*,\s*/).map((tag) => tag.replace(/^W\//, ''))
    if (known?.includes(etag) || known?.includes('*')) response.status(304).end()
    else sendJson(response, text)
  }
}
