import type { Pool } from 'pg'
import type { User } from '../../prisma/client/client.ts'
import { FullUser, userRoles } from '../../shared/account.ts'
import { type AdministeredUser, type ListUsers, maxUsers, type userFilters } from '../../shared/admin.ts'
import { likeLiteral } from '../foundation/lists.ts'
import { refuse } from '../foundation/refusal.ts'
import { isBanned } from '../session/session-rows.ts'

type Where = { text: string; values: unknown[] }

/** Page size without a `limit`. */
const defaultLimit = 100

/** Lists users by search, filter and order, with the total number. */
export async function listUsers(
  pool: Pool,
  wanted: ListUsers,
  now: Date,
): Promise<{ users: AdministeredUser[]; total: number }> {
  const where = whereOf(wanted, now)
  const { sortDirection, offset = 0 } = wanted
  const sortBy = wanted.sortBy || 'createdAt'
  // As in the plugin, 0 means no limit.
  const limit = Math.min(wanted.limit || defaultLimit, maxUsers)
  const direction = sortDirection === 'desc' ? 'desc' : 'asc'
  const { rows } = await pool.query<User>({
    text: `select u.id, u.email, u.name, u.image, u."emailVerified", u."createdAt", u."updatedAt", u.username,
        u."displayUsername", u.language, u.role, u."bannedAt", u."banReason", u."banExpiresAt", u.metadata, u."twoFactorEnabled"
      from "User" u ${where.text} order by u."${sortBy === 'banned' ? 'bannedAt' : sortBy}" ${direction}, u.id ${direction} limit ${limit} offset ${offset}`,
    values: where.values,
  })
  return { users: rows.map((row) => administered(row, now)), total: await countUsers(pool, where, now) }
}

/** A user as administrators see it. */
export function administered(user: User, now: Date): AdministeredUser {
  const banned = isBanned(user, now)
  return {
    ...FullUser.parse(user),
    banned,
    banReason: banned ? user.banReason : null,
    banExpires: banned ? user.banExpiresAt : null,
  }
}

/**
 * Up to this number, matching users are counted on each call. Larger counts are cached for `countMs`: counting 200,000
 * costs more than reading a page.
 */
const countedRows = 1_000
const countMs = 30_000
const maxCounts = 200
type Count = { total: Promise<number>; until: number }
const counts = new WeakMap<Pool, Map<string, Count>>()

async function countUsers(pool: Pool, { text, values }: Where, now: Date): Promise<number> {
  const few = `select count(*)::int as total from (select 1 from "User" u ${text} limit ${countedRows + 1}) counted`
  const total = await readCount(pool, { text: few, values })
  if (total <= countedRows) return total
  const ofPool = counts.get(pool) ?? new Map<string, Count>()
  counts.set(pool, ofPool)
  // Excludes the time that bans are compared with, which differs on each call.
  const key = JSON.stringify([text, values.filter((value) => value !== now)])
  const known = ofPool.get(key)
  if (known && known.until > now.getTime()) return known.total
  const all = `select count(*)::int as total from "User" u ${text}`
  const count = { total: readCount(pool, { text: all, values }), until: now.getTime() + countMs }
  count.total.catch(() => ofPool.delete(key))
  if (ofPool.size >= maxCounts) ofPool.clear()
  ofPool.set(key, count)
  return count.total
}

async function readCount(pool: Pool, query: Where): Promise<number> {
  const { rows } = await pool.query<{ total: number }>(query)
  return rows[0]?.total ?? 0
}

const operators = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

function whereOf(wanted: ListUsers, now: Date): Where {
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const conditions: string[] = []
  const { searchValue, searchField, searchOperator, filterField, filterOperator, filterValue } = wanted
  if (searchValue !== undefined && searchValue !== '') {
    const literal = likeLiteral(searchValue)
    const before = searchOperator === 'starts_with' ? '' : '%'
    const after = searchOperator === 'ends_with' ? '' : '%'
    const pattern = bind(before + literal + after)
    const either = `(u.email ilike ${pattern} or u.name ilike ${pattern})`
    conditions.push(searchField === 'any' ? either : `u.${searchField} ilike ${pattern}`)
  }
  if (filterValue !== undefined && filterValue !== '') {
    const operator = operators[filterOperator]
    conditions.push(`${filterOf(filterField, filterValue, { operator, now, bind })}`)
  }
  return { text: conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`, values }
}

type Comparison = { operator: string; now: Date; bind: (value: unknown) => string }

function filterOf(field: (typeof userFilters)[number], value: string, { operator, now, bind }: Comparison): string {
  const isFlag = field === 'banned' || field === 'emailVerified'
  if (isFlag && operator !== '=' && operator !== '<>') refuse('INVALID_QUERY')
  if (field === 'banned') {
    const at = bind(now)
    const isBannedNow = `(u."bannedAt" is not null and (u."banExpiresAt" is null or u."banExpiresAt" > ${at}))`
    return booleanOf(value) === (operator === '=') ? isBannedNow : `not ${isBannedNow}`
  }
  if (field === 'emailVerified')
    return booleanOf(value) === (operator === '=') ? 'u."emailVerified"' : 'not u."emailVerified"'
  if (field === 'role') {
    // As a literal, so that the index of the few administrators is used.
    const role = userRoles.find((one) => one === value) ?? refuse('INVALID_QUERY')
    return `u.role ${operator} '${role}'`
  }
  if (field === 'createdAt' || field === 'updatedAt') {
    // Milliseconds, or ISO 8601 within the range that PostgreSQL can compare.
    const at = new Date(/^\d+$/.test(value) ? Number(value) : value)
    const isDate = at.getTime() >= Date.UTC(1, 0) && at.getFullYear() < 10_000
    return isDate ? `u."${field}" ${operator} ${bind(at)}` : refuse('INVALID_QUERY')
  }
  // A user without a username counts as different from any value.
  if (field === 'username' && operator === '<>') return `u.username is distinct from ${bind(value)}`
  return `u.${field} ${operator} ${bind(value)}`
}

function booleanOf(value: string): boolean {
  return value === 'true' || value === '1' || (value !== 'false' && value !== '0' && refuse('INVALID_QUERY'))
}
