import { z } from 'zod'
import { currentUserId } from '../api/query-client.ts'
import { restRefusal } from '../api/rest-refusal.ts'

/** Width and height of an uploaded picture, in pixels. */
const side = 512

/** Encodings in the order of preference. A browser that cannot write one returns PNG instead, without an error. */
const encodings = [
  ['image/webp', 0.9],
  ['image/jpeg', 0.9],
] as const

type Area = { x: number; y: number; width: number; height: number }

/** Crops a picture to a square and re-encodes it, which also removes its metadata, such as the location. */
export async function encodePicture(source: string, area: Area): Promise<Blob> {
  const image = new Image()
  image.src = source
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, side, side)
  for (const [type, quality] of encodings) {
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, quality))
    if (blob?.type === type) return blob
  }
  throw new Error('no encoding')
}

const Uploaded = z.object({ url: z.string() })

/** Uploads a picture, and returns its URL. */
export async function uploadPicture(blob: Blob): Promise<string> {
  const userId = currentUserId()
  const answer = await fetch('/api/pictures', {
    method: 'POST',
    body: blob,
    headers: { 'content-type': blob.type, ...(userId !== undefined && { 'x-foyer-user': userId }) },
  })
  if (!answer.ok) throw await restRefusal(answer)
  return Uploaded.parse(await answer.json()).url
}
