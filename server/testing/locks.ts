import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { TestApp } from './test-app.ts'

/** Locks rows while `during` sends its calls; `release` commits and frees the lock. */
export async function withRowLock<Sent>(
  testApp: TestApp,
  sql: string,
  values: unknown[],
  during: (release: () => Promise<void>) => Promise<Sent>,
): Promise<Sent> {
  const holder = new Client({ connectionString: testApp.databaseUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query(sql, values)
  const release = async () => void (await holder.query('commit'))
  try {
    return await during(release)
  } finally {
    await holder.end()
  }
}

/** How many statements of this database are waiting for a lock. */
export async function countWaiting(testApp: TestApp): Promise<number> {
  const { rows } = await testApp.admin.query(
    `select 1 from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`,
    [testApp.databaseName],
  )
  return rows.length
}

/** Waits until `count` statements of this database are waiting for a lock. */
export async function untilWaiting(testApp: TestApp, count: number): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until; await wait(20)) {
    if ((await countWaiting(testApp)) >= count) return
  }
  throw new Error(`Fewer than ${count} statements wait for a lock`)
}
