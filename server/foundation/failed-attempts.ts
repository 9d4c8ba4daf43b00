import type { Tx } from './database.ts'
import { countLimits, type RateLimit } from './limits.ts'

// Limits on wrong secrets, counted in the same table as rate limits. Unlike those, they cannot be switched off.

/** The seconds to wait if one of these limits is reached, otherwise 0. */
export async function retryAfterSeconds(tx: Tx, limits: readonly RateLimit[], now: Date): Promise<number> {
  const rows = await tx.rateLimitCounter.findMany({
    where: { key: { in: limits.map(({ key }) => key) }, expiresAt: { gt: now } },
  })
  const waits = limits.map(({ key, max }) => {
    const row = rows.find((one) => one.key === key)
    return row && row.count >= max ? Math.ceil((row.expiresAt.getTime() - now.getTime()) / 1000) : 0
  })
  return Math.max(0, ...waits)
}

/** Counts a wrong secret. */
export async function recordFailedAttempt(tx: Tx, limits: readonly RateLimit[], now: Date): Promise<void> {
  const { text, values } = countLimits(limits, now)
  await tx.$queryRawUnsafe(text, ...values)
}

/** Resets the counts after a correct secret. */
export async function resetFailedAttempts(tx: Tx, limits: readonly RateLimit[]): Promise<void> {
  await tx.rateLimitCounter.deleteMany({ where: { key: { in: limits.map(({ key }) => key) } } })
}
