import { DatabaseError } from 'pg'
import { Prisma } from '../../prisma/client/client.ts'

/**
 * SQLSTATE classes and codes for temporary failures, whatever the statement: connection (3D000), resources, locks and
 * serialization conflicts (40P01, 55P03), operator intervention, I/O, read-only, and transactions that were idle (25P03)
 * or took too long (25P04).
 */
const unavailable = /^(08|28|3D000|40001|40P01|53|55000|55P03|57|58|25006|25P03|25P04)/

/** Codes of Node.js for a connection that cannot be made, or is lost: of the network, of the process's limits, and of TLS. */
const unreachable =
  /ECONNREFUSED|ECONNRESET|ECONNABORTED|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOENT|EADDRNOTAVAIL|EMFILE|ENFILE|CERT_|_CERT|ERR_TLS/

/** Messages of pg and Prisma for timeouts and lost connections, which have no error code. */
const connectionLost =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Unable to start a transaction|Transaction already closed|Client has encountered a connection error|not queryable|Cannot use a pool after calling end|Server has closed the connection|Can't reach database/i

/**
 * Prisma error codes: P1001 unreachable, P1002 and P1008 timeout, P1011 TLS, P1017 closed, P2024 pool, P2028
 * transaction, P2037 too many connections.
 */
const prismaUnavailable = /^P(1001|1002|1008|1011|1017|2024|2028|2037)$/

/**
 * Whether the database is unreachable, hanging or read-only: the response is then 503, not 500 (REL-03, REL-08,
 * REL-09).
 */
export function isUnavailable(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++) {
    const code = sqlState(at) ?? ('code' in at ? String(at.code) : '')
    if (
      unavailable.test(code) ||
      unreachable.test(code) ||
      prismaUnavailable.test(code) ||
      connectionLost.test(at.message)
    ) {
      return true
    }
  }
  return false
}

/** A connection was not made, for whatever reason: nothing was done. This counts as an outage. */
export class ConnectionError extends Error {
  readonly code = 'ECONNREFUSED'
  constructor(cause: unknown) {
    // The error of several attempts has no message, but a code.
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    super(`failed to connect to the database: ${(cause instanceof Error && cause.message) || code}`, { cause })
  }
}

/**
 * Whether the database works, but has given up on this statement: because of locks, a conflict, or the time it took
 * (40001, 40P01, 55P03, 57014, 25P04).
 */
export function isStatementGivenUp(error: unknown): boolean {
  return error instanceof Error && /^(40001|40P01|55P03|57014|25P04)$/.test(sqlState(error) ?? '')
}

/** The columns or name of the unique index that a write violated. Undefined for every other error. */
export function violatedUnique(error: unknown): string | undefined {
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return JSON.stringify(error.meta)
  if (error instanceof DatabaseError && error.code === '23505') return error.constraint
  // A raw SQL statement inside a Prisma transaction.
  if (error instanceof Prisma.PrismaClientKnownRequestError && sqlState(error) === '23505')
    return JSON.stringify(error.meta)
  return undefined
}

/**
 * Whether a write failed because a row was deleted concurrently: the row itself (P2025) or its parent (P2003).
 * This happens only in a race, because every referenced row is looked up first.
 */
export function isMissingReference(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientKnownRequestError && ['P2025', 'P2003'].includes(error.code)) return true
  return error instanceof Error && sqlState(error) === '23503'
}

/** The SQLSTATE of a pg error, or of one wrapped by Prisma's adapter. */
function sqlState(error: Error): string | undefined {
  if (error instanceof DatabaseError) return error.code
  const meta = 'meta' in error ? JSON.stringify(error.meta) : ''
  return /"(?:originalCode|code)":"(\w{5})"/.exec(meta)?.[1]
}
