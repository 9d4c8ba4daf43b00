import { type Request, type Response, Router } from 'express'
import type { App } from '../dependencies.ts'
import { refuse } from '../foundation/refusal.ts'
import { findPicture } from '../picture/pictures.ts'
import { enforceRateLimitInMemory } from '../procedure/rate-limit.ts'
import type { Context } from '../request/context.ts'
import { handle } from './respond.ts'

/** Reads per network. A browser caches each picture permanently. */
const readLimit = { max: 600, seconds: 10 }

/**
 * GET /api/pictures/{id} serves an uploaded picture permanently to anyone who knows the URL; different bytes get a
 * different URL.
 */
export function pictureRoutes(app: App): Router {
  const routes = Router({ caseSensitive: true })
  routes.get('/pictures/:id', handle(app, 'picture.read', servePicture))
  return routes
}

async function servePicture(ctx: Context, request: Request, response: Response) {
  const id = String(request.params['id'])
  enforceRateLimitInMemory(ctx, { key: 'picture.read', ...readLimit })
  const picture = /^[\w-]{43}$/.test(id) ? await findPicture(ctx.db, id) : null
  if (!picture) refuse('NOT_FOUND')
  response.setHeader('Content-Type', picture.type)
  response.setHeader('Content-Length', picture.bytes.length)
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
  // Other products show the picture from this URL.
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
  response.end(picture.bytes)
}
