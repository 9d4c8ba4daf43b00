import type { Pool } from 'pg'
import { type Database, createDatabase } from './database.ts'
import { createPool } from './pool.ts'
import { readTimeline } from './postgres-servers.ts'

/** How often the lag is measured, and the maximum lag at which the replica is used, in milliseconds. */
const lagLimits = { checkMs: 2_000, maxLagMs: 5_000 }
/** Timeouts are short because the primary has the same data. */
const timeouts = { waitMs: 800, statementMs: 1_000 }

const maxPositions = 100

export type Replica = ReturnType<typeof createReplica>

/**
 * A standby for reads that may be slightly stale. It is used while it lags less than five seconds behind the primary.
 * The primary's WAL position is recorded every two seconds; the age of the oldest position that the standby has not
 * replayed is its lag.
 */
export function createReplica(url: string, primary: Pool, { connections = 10 }: { connections?: number } = {}) {
  const database = createDatabase(url, { connections, onError: () => {}, ...timeouts })
  const probe = createPool(url, { connections: 1, onError: () => {}, ...timeouts, name: 'foyer replica check' })
  let positions: { at: number; position: bigint }[] = []
  let isUsable = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    const at = performance.now()
    const written = await primary.query<{ position: string }>('select pg_current_wal_lsn()::text as position')
    positions.push({ at, position: positionOf(written.rows[0]?.position) })
    // The oldest position determines the lag, so an unreachable replica needs no further ones.
    if (positions.length > maxPositions) positions.splice(1, positions.length - maxPositions)
    const replayed = await probe.query<{ position: string | null }>(
      'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position',
    )
    const [ours, its] = await Promise.all([timelineOf(primary), timelineOf(probe)])
    // It follows a former primary, whose positions mean something else. After a promotion, one that follows the new
    // primary may report the former timeline until its next checkpoint.
    if (ours > 0 && its > 0 && ours !== its) throw new Error('The replica follows another primary')
    const reached = replayed.rows[0]?.position
    // It was promoted to a primary, and no longer follows ours.
    if (reached === null || reached === undefined) throw new Error('The replica is not a standby')
    positions = positions.filter(({ position }) => position > positionOf(reached))
    const lagMs = positions[0] ? performance.now() - positions[0].at : 0
    isUsable = lagMs <= lagLimits.maxLagMs
  }

  async function checkRepeatedly(): Promise<void> {
    await check().catch(() => (isUsable = false))
    if (!isClosed) timer = setTimeout(() => void checkRepeatedly(), lagLimits.checkMs).unref()
  }
  void checkRepeatedly()

  return {
    /** The replica, if it can be used now. */
    current: (): Pick<Database, 'pool' | 'prisma'> | undefined => (isUsable ? database : undefined),
    /** Reports a failed read. The replica is not used again until it has answered a check. */
    failed(): void {
      isUsable = false
    },
    pool: database.pool,
    /** Its lag, as last measured. */
    lagSeconds: () => (positions[0] ? (performance.now() - positions[0].at) / 1000 : 0),
    isUsable: () => isUsable,
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await Promise.all([database.close(), probe.end()])
    },
  }
}

/**
 * The timeline of a pool's server. A query of the pool would end its connection also where the timeline cannot be read.
 */
async function timelineOf(pool: Pool): Promise<number> {
  const client = await pool.connect()
  try {
    const timeline = await readTimeline(client)
    client.release()
    return timeline
  } catch (error) {
    // The server does not answer: this connection is of no use to others.
    client.release(true)
    throw error
  }
}

/** Converts a WAL position (`16/B374D848`) to a number. */
function positionOf(text = '0/0'): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
