import type { App } from '../dependencies.ts'
import { firstEventId } from '../event/event-ids.ts'

/**
 * Counts the users who were active today (UTC): who signed in, or whose session was renewed, which happens when it is used
 * a day after its last renewal. Run shortly before the end of each hour; a user whose renewed session ends before the
 * next run is missed. A session in which an administrator acts as the user does not count.
 */
export async function countActiveUsers({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const day = clock()
  day.setUTCHours(0, 0, 0, 0)
  await db.$executeRaw`
    insert into "ActiveUserCount" (day, users)
    select ${day}::date, count(*)::int from (
      select "userId" from "Session" where "updatedAt" >= ${day} and "impersonatedBy" is null
      union
      select "subjectId" from "Event"
        where type = 'user.signed_in' and "subjectId" is not null and id >= ${firstEventId(day)}) active
    on conflict (day) do update set users = greatest("ActiveUserCount".users, excluded.users)`
}
