import { createHash } from 'node:crypto'
import type { Db } from '../foundation/database.ts'

/** An uploaded picture, with the type detected from its bytes. */
export type Picture = { bytes: Uint8Array; type: string }

/**
 * Stores a picture under the hash of its bytes, and returns its URL. A repeated upload keeps the row for another day.
 */
export async function storePicture(
  db: Db,
  { bytes, type, prefix, now }: { bytes: Buffer; type: string; prefix: string; now: Date },
): Promise<string> {
  const id = createHash('sha256').update(bytes).digest('base64url')
  const url = prefix + id
  const data = { id, url, bytes: Uint8Array.from(bytes), type, createdAt: now }
  await db.picture.upsert({ where: { id }, create: data, update: { url, createdAt: now } })
  return url
}

export async function findPicture(db: Db, id: string): Promise<Picture | null> {
  return db.picture.findUnique({ where: { id }, select: { bytes: true, type: true } })
}

/** Deletes up to `limit` unused pictures that were uploaded before `before`. */
export async function deleteUnusedPictures(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  return db.$executeRaw`
    delete from "Picture" where id in (
      select p.id from "Picture" p where p."createdAt" < ${before}
        and not exists (select from "User" u where u.image = p.url)
        and not exists (select from "Organization" o where o.logo = p.url)
      order by p."createdAt" limit ${limit})`
}
