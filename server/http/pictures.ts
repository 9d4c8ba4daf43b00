import { type Request, type Response, Router, raw } from 'express'
import type { App } from '../dependencies.ts'
import { refuse } from '../foundation/refusal.ts'
import { findPicture } from '../picture/pictures.ts'
import { receivePicture } from '../picture/receive-picture.ts'
import { admitCaller } from '../procedure/guards.ts'
import { checkOrigin } from '../procedure/origin.ts'
import { refuseTooMany, refuseTooManyInMemory } from '../procedure/rate-limit.ts'
import type { Context } from '../request/context.ts'
import { handle, respond } from './respond.ts'

/** Uploads per network, by any users. */
const uploadLimit = { max: 60, seconds: 3600 }

/** Reads per network. A browser caches each picture permanently. */
const readLimit = { max: 600, seconds: 10 }

/** Maximum size of a picture. */
const maxPicture = '1mb'

/**
 * POST /api/pictures with the bytes as the body answers `{ url }`, to be set as a profile picture or logo. GET
 * /api/pictures/{id} serves it permanently to anyone who knows the URL; different bytes get a different URL.
 */
export function pictureRoutes(app: App): Router {
  const routes = Router({ caseSensitive: true })
  const receive = respond(app, 'picture.upload', async (ctx, request) => {
    checkOrigin(ctx, true)
    await refuseTooMany(ctx, 'picture.upload', { limit: uploadLimit })
    const bytes: unknown = request.body
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) refuse('PICTURE_IS_INVALID')
    const caller = await admitCaller(ctx, { meta: { openTo: ['impersonator'] }, type: 'mutation' })
    return { json: JSON.stringify(await receivePicture({ ...ctx, ...caller }, bytes)) }
  })
  routes.post('/', raw({ type: () => true, limit: maxPicture, inflate: false }), receive)
  routes.get('/:id', handle(app, 'picture.read', servePicture))
  return routes
}

async function servePicture(ctx: Context, request: Request, response: Response) {
  const id = String(request.params['id'])
  refuseTooManyInMemory(ctx, { ...readLimit, key: 'picture.read' })
  const picture = /^[\w-]{43}$/.test(id) ? await findPicture(ctx.db, id) : null
  if (!picture) refuse('NOT_FOUND')
  response.setHeader('Content-Type', picture.type)
  response.setHeader('Content-Length', picture.bytes.length)
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
  // Other products show the picture from this URL.
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
  response.end(picture.bytes)
}
