import { imageSize } from 'image-size'
import type { Context } from '../request/context.ts'
import { refuse } from '../foundation/refusal.ts'
import { storePicture } from './pictures.ts'

/** Uploads of one user. */
const limit = { max: 30, seconds: 3600 }

/** Largest width and height in pixels. The screens send 512 by 512. */
const maxSide = 1024

/** Types that are served, by the names of image-size. SVG is not among them, because it can contain scripts. */
const types: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' }

/** The path of a picture, before its id. */
export const picturePath = '/api/pictures/'

/** Stores an uploaded picture. Type and size are read from its bytes; the name and the header of the upload are ignored. */
export async function receivePicture(ctx: Context, bytes: Buffer): Promise<{ url: string }> {
  const caller = (await ctx.caller()) ?? refuse('UNAUTHORIZED')
  const seconds = await ctx.limiter.consume([{ ...limit, key: `picture:${caller.user.id}` }], ctx.now)
  if (seconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: seconds })
  const id = await storePicture(ctx.db, { bytes, type: typeOf(bytes), now: ctx.now })
  return { url: `${ctx.config.appOrigin}${picturePath}${id}` }
}

function typeOf(bytes: Buffer): string {
  const { type, width, height } = sizeOf(bytes)
  const known = types[type ?? '']
  const isSmall = width >= 1 && height >= 1 && width <= maxSide && height <= maxSide
  return known !== undefined && isSmall ? known : refuse('PICTURE_IS_INVALID')
}

function sizeOf(bytes: Buffer) {
  try {
    return imageSize(bytes)
  } catch {
    return refuse('PICTURE_IS_INVALID')
  }
}
