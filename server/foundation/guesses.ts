import type { Tx } from './database.ts'

/** The number of wrong secrets allowed within some seconds. Unlike rate limits, these limits cannot be switched off. */
export type GuessLimit = { key: string; max: number; seconds: number }

/** The seconds to wait if one of these limits is reached, otherwise 0. */
export async function secondsToWait(tx: Tx, limits: readonly GuessLimit[], now: Date): Promise<number> {
  const rows = await tx.limit.findMany({ where: { key: { in: limits.map(({ key }) => key) }, expiresAt: { gt: now } } })
  const waits = limits.map(({ key, max }) => {
    const row = rows.find((one) => one.key === key)
    return row && row.count >= max ? Math.ceil((row.expiresAt.getTime() - now.getTime()) / 1000) : 0
  })
  return Math.max(0, ...waits)
}

/** Counts a wrong secret. */
export async function countGuess(tx: Tx, limits: readonly GuessLimit[], now: Date): Promise<void> {
  const keys = limits.map(({ key }) => key)
  const seconds = limits.map((limit) => limit.seconds)
  await tx.$executeRaw`
    insert into "Limit" as held (key, count, "expiresAt")
    select key, 1, ${now}::timestamptz + seconds * interval '1 second'
    from unnest(${keys}::text[], ${seconds}::int[]) as wanted (key, seconds) order by key
    on conflict (key) do update set
      count = case when held."expiresAt" <= ${now} then 1 else held.count + 1 end,
      "expiresAt" = case when held."expiresAt" <= ${now} then excluded."expiresAt" else held."expiresAt" end`
}

/** Resets the counts after a correct secret. */
export async function clearGuesses(tx: Tx, limits: readonly GuessLimit[]): Promise<void> {
  await tx.limit.deleteMany({ where: { key: { in: limits.map(({ key }) => key) } } })
}
