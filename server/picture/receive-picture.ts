import { disableTypes, imageSize, types as allTypes } from 'image-size'
import { picturePath } from '../foundation/pictures.ts'
import { refuse } from '../foundation/refusal.ts'
import type { CallerContext } from '../request/context.ts'
import { storePicture } from './pictures.ts'

/** Upload limits of a user with a verified email address, and of one without. */
const limits = { verified: { max: 30, seconds: 3600 }, unverified: { max: 3, seconds: 86_400 } }

/** Largest width and height in pixels. The screens send 512 by 512. */
const maxSide = 1024

/** Types that are served, as named by image-size. SVG is not among them, because it can contain scripts. */
const types: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' }

// The parsers of other types are disabled: that of HEIF takes half a minute for a crafted megabyte.
disableTypes(allTypes.filter((name) => !(name in types)))

/**
 * Stores an uploaded picture. Type and size are read from its bytes; the name and the header of the upload are ignored.
 */
export async function receivePicture(ctx: CallerContext, bytes: Buffer): Promise<{ url: string }> {
  const prefix = `${ctx.config.appOrigin}${picturePath}`
  const limit = ctx.user.emailVerified ? limits.verified : limits.unverified
  const seconds = await ctx.limiter.consume([{ key: `picture:${ctx.user.id}`, ...limit }], ctx.now)
  if (seconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: seconds })
  return { url: await storePicture(ctx.db, { bytes, type: typeOf(bytes), prefix, now: ctx.now }) }
}

function typeOf(bytes: Buffer): string {
  const { type, ...found } = sizeOf(bytes)
  const { width, height } = type === 'jpg' ? jpegSize(bytes) : found
  const known = types[type ?? '']
  const isSmall = width >= 1 && height >= 1 && width <= maxSide && height <= maxSide
  return known !== undefined && isSmall ? known : refuse('PICTURE_IS_INVALID')
}

/**
 * Width and height of a JPEG, read segment by segment as decoders do (ITU T.81, B.1.1). image-size searches for the
 * next marker instead, and can be led past the frame that is shown.
 */
function jpegSize(bytes: Buffer): { width: number; height: number } {
  for (let at = 2; bytes[at] === 0xff && at + 9 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return refuse('PICTURE_IS_INVALID')
}

function sizeOf(bytes: Buffer) {
  try {
    return imageSize(bytes)
  } catch {
    return refuse('PICTURE_IS_INVALID')
  }
}
