import type { Pool } from 'pg'
import { type Database, openDatabase } from './database.ts'
import { openPool } from './pool.ts'

/** How often the lag is measured, and how old what is read may be, in milliseconds. */
const times = { checkMs: 2_000, maxLagMs: 5_000 }
/** A replica that does not answer is left soon: the primary has the same data. */
const patience = { waitMs: 800, statementMs: 1_000 }

const maxPositions = 100

export type Replica = ReturnType<typeof openReplica>

/**
 * A standby for reads that may be a moment old. It is used while it follows the primary by less than five seconds: the primary's
 * position in its log is noted every two seconds, and the oldest one that the standby has not replayed tells how far it is behind.
 */
export function openReplica(url: string, primary: Pool, { connections = 10 }: { connections?: number } = {}) {
  const database = openDatabase(url, { connections, onError: () => {}, ...patience })
  const probe = openPool(url, { connections: 1, onError: () => {}, ...patience, name: 'foyer replica check' })
  let positions: { at: number; position: bigint }[] = []
  let isUsable = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    const at = performance.now()
    const written = await primary.query<{ position: string }>('select pg_current_wal_lsn()::text as position')
    positions.push({ at, position: positionOf(written.rows[0]?.position) })
    // The oldest one tells the lag; a replica that is gone needs no others.
    if (positions.length > maxPositions) positions.splice(1, positions.length - maxPositions)
    const replayed = await probe.query<{ position: string | null }>(
      'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position',
    )
    const reached = replayed.rows[0]?.position
    // Promoted: it is a primary of its own, and no longer follows ours.
    if (reached === null || reached === undefined) throw new Error('The replica is no standby')
    positions = positions.filter(({ position }) => position > positionOf(reached))
    const lagMs = positions[0] ? performance.now() - positions[0].at : 0
    isUsable = lagMs <= times.maxLagMs
  }

  async function keepChecking(): Promise<void> {
    await check().catch(() => (isUsable = false))
    if (!isClosed) timer = setTimeout(() => void keepChecking(), times.checkMs).unref()
  }
  void keepChecking()

  return {
    /** The replica, if it can be used now. */
    current: (): Pick<Database, 'pool' | 'prisma'> | undefined => (isUsable ? database : undefined),
    /** A read has failed: it is not used again until it has answered a check. */
    failed(): void {
      isUsable = false
    },
    pool: database.pool,
    /** How far it is behind, as last measured. */
    lagSeconds: () => (positions[0] ? (performance.now() - positions[0].at) / 1000 : 0),
    isUsable: () => isUsable,
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await Promise.all([database.close(), probe.end()])
    },
  }
}

/** A position in the log (`16/B374D848`) as a number. */
function positionOf(text = '0/0'): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
