import type { z } from 'zod'
import { Prisma } from '../../prisma/client/client.ts'
import type { AnyApiKeyPage, ListAllApiKeys } from '../../shared/installation.ts'
import type { Db } from '../foundation/database.ts'
import { likeLiteral, maxRows, searchPatterns, withRelation } from '../foundation/lists.ts'
import { counterOf, type ReadOptions, totalOf } from '../foundation/totals.ts'

/** API keys of all users and organizations, newest first, with their total number. */
export async function listAllApiKeys(
  db: Db,
  { q = '', limit, offset }: z.output<typeof ListAllApiKeys>,
  reading: ReadOptions,
): Promise<z.output<typeof AnyApiKeyPage>> {
  const text = q.trim()
  const where = text === '' ? Prisma.empty : Prisma.sql`where ${await matching(db, text)}`
  const page = await db.$queryRaw<{ id: string }[]>`
    select k.id from "ApiKey" k ${where} order by k."createdAt" desc, k.id desc limit ${limit} offset ${offset}`
  const select = {
    id: true,
    name: true,
    start: true,
    isEnabled: true,
    expiresAt: true,
    lastUsedAt: true,
    createdAt: true,
    user: { select: { id: true, name: true, email: true } },
    organization: { select: { id: true, name: true, slug: true } },
  }
  const rows = await db.apiKey.findMany({
    where: { id: { in: page.map(({ id }) => id) } },
    select,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  const apiKeys = withRelation(rows, 'user').map(({ isEnabled, lastUsedAt, ...row }) => ({
    ...row,
    enabled: isEnabled,
    lastRequest: lastUsedAt,
  }))
  const total = await totalOf(
    { offset, limit, rows: page.length },
    { database: db, key: JSON.stringify(['ApiKey', text]), count: counterOf(db, Prisma.sql`"ApiKey" k ${where}`) },
    reading,
  )
  return { apiKeys, total }
}

async function matching(db: Db, text: string): Promise<Prisma.Sql> {
  const patterns = searchPatterns(text)
  const isLike = (column: Prisma.Sql) => patterns.map((pattern) => Prisma.sql`${column} ilike ${pattern}`)
  const names = isLike(Prisma.sql`k.name`)
  const start = Prisma.sql`k.start like ${`${likeLiteral(text)}%`}`
  const emails = isLike(Prisma.sql`u.email`)
  if (emails.length === 0) return start
  const isOfUser = Prisma.sql`(${Prisma.join(emails, ' or ')})`
  const users = await db.$queryRaw<{ id: string }[]>`
    select u.id from "User" u where ${isOfUser} limit ${maxRows + 1}`
  // The keys of a few users are found by an index. If more users match, keys are tested until a page is full.
  const ofUsers =
    users.length <= maxRows
      ? Prisma.sql`k."userId" = any (${users.map(({ id }) => id)})`
      : Prisma.sql`exists (select from "User" u where u.id = k."userId" and ${isOfUser})`
  return Prisma.sql`(${Prisma.join([...names, start, ofUsers], ' or ')})`
}
