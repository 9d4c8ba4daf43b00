import type { z } from 'zod'
import type { AnyApiKeyPage, ListAllApiKeys } from '../../shared/installation.ts'
import type { Tx } from '../foundation/database.ts'
import { containing, likeLiteral, withRelation } from '../foundation/lists.ts'
import { totalOf } from '../foundation/totals.ts'

/** API keys of all users and organizations, newest first, with their total number. */
export async function listAllApiKeys(
  tx: Tx,
  { q = '', limit, offset }: z.output<typeof ListAllApiKeys>,
  now: Date,
): Promise<z.output<typeof AnyApiKeyPage>> {
  const text = q.trim()
  const like = containing(text)
  const where =
    text === '' ? {} : { OR: [{ name: like }, { user: { email: like } }, { start: { startsWith: likeLiteral(text) } }] }
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
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]
  const rows = await tx.apiKey.findMany({ where, select, orderBy, take: limit, skip: offset })
  const apiKeys = withRelation(rows, 'user').map(({ isEnabled, lastUsedAt, ...row }) => ({
    ...row,
    enabled: isEnabled,
    lastRequest: lastUsedAt,
  }))
  const total = await totalOf(
    { offset, limit, rows: rows.length },
    {
      database: tx,
      key: JSON.stringify(['ApiKey', text]),
      now,
      count: (take) => tx.apiKey.count({ where, ...(take && { take }) }),
    },
  )
  return { apiKeys, total }
}
