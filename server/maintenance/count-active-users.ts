import type { App } from '../dependencies.ts'
import { storeActiveUserCount } from './active-user-counts.ts'

/**
 * Counts the users who were active today (UTC): who signed in, or whose session was renewed, which happens when it is
 * used a day after its last renewal. Run shortly before the end of each hour; a user whose renewed session ends before
 * the next run is missed. A session in which an administrator acts as the user does not count.
 */
export async function countActiveUsers({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const day = clock()
  day.setUTCHours(0, 0, 0, 0)
  await storeActiveUserCount(db, day)
}
