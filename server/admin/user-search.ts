import { userRoles } from '../../shared/account.ts'
import type { ListUsers, userFilters } from '../../shared/admin.ts'
import { likeLiteral } from '../foundation/lists.ts'
import { refuse } from '../foundation/refusal.ts'

type Where = { text: string; values: unknown[] }

const operators = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

/** The conditions of a list. `readsAll`: for counting all matching rows, which are many. */
export function whereOf(wanted: ListUsers, now: Date, readsAll = false): Where {
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const conditions: string[] = []
  const { searchValue, searchField, searchOperator, filterField, filterOperator, filterValue } = wanted
  if (searchValue !== undefined && searchValue !== '') {
    const fields = searchField === 'any' ? (['email', 'name'] as const) : [searchField]
    const search = { text: searchValue, operator: searchOperator, readsAll, bind }
    const matches = fields.map((field) => matchOf(field, search))
    if (searchField === 'any') {
      // Ids and usernames are found as a whole, each by its own index.
      const whole = bind(searchValue)
      matches.push(`u.id = ${whole}`, `u.username = lower(${whole})`)
    }
    conditions.push(`(${matches.join(' or ')})`)
  }
  if (filterValue !== undefined && filterValue !== '') {
    const operator = operators[filterOperator]
    conditions.push(`${filterOf(filterField, filterValue, { operator, now, bind })}`)
  }
  return { text: conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`, values }
}

type Search = {
  text: string
  operator: ListUsers['searchOperator']
  /** Whether all matching rows are counted, which are many: no condition that only serves an index is needed. */
  readsAll: boolean
  bind: (value: unknown) => string
}

/** Characters below which the part of an address before its domain is looked up with the beginning of the domain. */
const shortLocalPart = 8

/** Three letters or digits in a row, by which a trigram index finds a text. */
const wholeTrigram = /[\p{L}\p{N}]{3}/u

/**
 * The condition that a matching email address or name meets, in the form of an index. The beginning, and the end of an
 * address, have indexes of their own. The trigrams of a frequent domain are in most rows: by them, an end takes 28 ms
 * among 200,000 users, and a whole address 7.
 */
function matchOf(field: 'email' | 'name', search: Search): string {
  const { text, operator, bind } = search
  const literal = likeLiteral(text)
  if (operator === 'starts_with') {
    return `${field === 'email' ? 'u.email' : 'lower(u.name)'} like lower(${bind(`${literal}%`)})`
  }
  if (operator === 'ends_with' && field === 'email') {
    const reversed = likeLiteral([...text].toReversed().join(''))
    return `reverse(u.email) like lower(${bind(`${reversed}%`)})`
  }
  const [localPart = '', domain] = text.split('@', 2)
  if (operator === 'contains' && domain !== undefined && wholeTrigram.test(localPart)) {
    // The domain is compared in the rows that the part before it finds. A short one may be frequent, such as "info".
    const prefix = localPart.length < shortLocalPart ? [...domain].slice(0, 3).join('') : ''
    const indexed = bind(`%${likeLiteral(`${localPart}@${prefix}`)}%`)
    return `(${likeCondition(field, indexed)} and strpos(lower(u.${field}), lower(${bind(text)})) > 0)`
  }
  if (!wholeTrigram.test(text)) return pairCondition(field, search)
  return likeCondition(field, bind(operator === 'ends_with' ? `%${literal}` : `%${literal}%`))
}

/**
 * A text that no trigram index finds is looked up by its pairs of characters, and compared in the rows that contain
 * them. The comparison has no form of an index: the planner would read the whole trigram index for it. It comes first,
 * because it costs less where the rows are read in the order of the list.
 */
function pairCondition(field: 'email' | 'name', { text, operator, readsAll, bind }: Search): string {
  const wanted = `lower(${bind(text)})`
  const value = `lower(u.${field})`
  const matches =
    operator === 'ends_with' ? `right(${value}, length(${wanted})) = ${wanted}` : `strpos(${value}, ${wanted}) > 0`
  return readsAll ? matches : `(${matches} and search_pairs(u.${field}) @> ${pairsOf(text, { wanted, bind })})`
}

/**
 * The pairs of a text, or its only character. As a list of its own where lower case is beyond doubt: `search_pairs`
 * returns the single characters, too, by which the planner would expect too few rows.
 */
function pairsOf(text: string, { wanted, bind }: { wanted: string; bind: Search['bind'] }): string {
  if (!/^[\x20-@[-~]+$/.test(text)) return `search_pairs(${wanted})`
  const pairs = Array.from(text.slice(1), (character, n) => `${text[n]}${character}`)
  return `${bind(pairs.length === 0 ? [text] : pairs)}::text[]`
}

/**
 * Ignores case. Email addresses are stored in lower case: where no index helps, `like` takes 35 ms among 200,000,
 * `ilike` 60.
 */
function likeCondition(field: 'email' | 'name', pattern: string): string {
  return field === 'email' ? `u.email like lower(${pattern})` : `u.name ilike ${pattern}`
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
