import { createHash } from 'node:crypto'
import type { Tx } from '../foundation/database.ts'

/** An uploaded picture, with the type that its bytes have. */
export type Picture = { bytes: Uint8Array; type: string }

/** Stores a picture under the hash of its bytes, and returns the hash. A repeated upload keeps the row for another day. */
export async function storePicture(
  tx: Tx,
  { bytes, type, now }: { bytes: Buffer; type: string; now: Date },
): Promise<string> {
  const id = createHash('sha256').update(bytes).digest('base64url')
  const data = { id, bytes: Uint8Array.from(bytes), type, createdAt: now }
  await tx.picture.upsert({ where: { id }, create: data, update: { createdAt: now } })
  return id
}

export async function findPicture(tx: Tx, id: string): Promise<Picture | null> {
  return tx.picture.findUnique({ where: { id }, select: { bytes: true, type: true } })
}

/** Deletes up to `limit` pictures that nobody uses and that were uploaded before `before`. `prefix`: of their URLs. */
export async function deleteUnusedPictures(
  tx: Tx,
  { prefix, before, limit }: { prefix: string; before: Date; limit: number },
): Promise<number> {
  return tx.$executeRaw`
    delete from "Picture" where id in (
      select p.id from "Picture" p where p."createdAt" < ${before}
        and not exists (select from "User" u where u.image = ${prefix} || p.id)
        and not exists (select from "Organization" o where o.logo = ${prefix} || p.id)
      order by p."createdAt" limit ${limit})`
}
