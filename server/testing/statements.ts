import { readFileSync } from 'node:fs'
import type { Pool } from 'pg'
import { isRecord } from '../foundation/records.ts'
import { collect, resultsFile } from './results.ts'

/** The names of the prepared statements that a test run has executed, against the migrated schema: one per line. */
const file = resultsFile('statements')

/** Collects the named statements of a pool. Prisma's have names without a dot. */
export function recordStatements(pool: Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...input: unknown[]) => unknown
    const recorded = (first: unknown, ...others: unknown[]) => {
      const name: unknown = isRecord(first) ? first['name'] : undefined
      if (typeof name === 'string' && name.includes('.')) collect(file, name)
      return query(first, ...others)
    }
    Object.assign(client, { query: recorded })
  })
}

/** The names that this run has executed so far. */
export function executedStatements(): string[] {
  return readFileSync(file, 'utf8').split('\n')
}
