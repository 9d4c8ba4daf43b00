import { PrismaPg } from '@prisma/adapter-pg'
import type { Prisma } from '../../prisma/client/client.ts'
import { PrismaClient } from '../../prisma/client/client.ts'
import { sha256 } from './crypto.ts'
import { usesTransactionPooling, timeouts, createPool, type PoolOptions } from './pool.ts'

/** Maximum number of named prepared statements per connection. Prisma creates far fewer, and input cannot add any. */
const maxStatementNames = 500

export type Database = ReturnType<typeof createDatabase>

/** A Prisma client, inside or outside a transaction. */
export type Db = Prisma.TransactionClient

declare const isInsideTransaction: unique symbol

/**
 * A Prisma client inside a transaction, which only `transaction` provides: for locks, for reads under a lock, and for
 * writes that belong together.
 */
export type Tx = Db & { readonly [isInsideTransaction]: true }

/** One pg pool and a Prisma client on top of it. Sessions are read directly from the pool, for performance. */
export function createDatabase(url: string, options: PoolOptions) {
  const pool = createPool(url, options)
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, usesTransactionPooling(pool) ? {} : { statementNameGenerator: nameStatement() }),
    transactionOptions: { maxWait: timeouts.connectMs, timeout: timeouts.transactionMs },
    errorFormat: 'minimal',
  })
  if (usesTransactionPooling(pool)) limitedByTransaction.add(prisma)
  return {
    pool,
    prisma,
    async close() {
      await prisma.$disconnect()
      await pool.end()
    },
  }
}

/** Names Prisma's statements, so that PostgreSQL plans each only once (measured: halves its share of a read). */
function nameStatement() {
  const names = new Map<string, string>()
  return ({ sql }: { sql: string }) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= maxStatementNames) return known ?? ''
    const name = `p${sha256(sql).slice(0, 20)}`
    names.set(sql, name)
    return name
  }
}

/** Clients whose connections cannot keep session settings: each transaction sets its own limits. */
export const limitedByTransaction = new WeakSet<object>()
