import { firstEventId } from '../event/event-ids.ts'
import type { Db } from '../foundation/database.ts'

/**
 * Stores how many users were active on a day (UTC): who signed in, or whose session was renewed. A count that was
 * larger earlier on that day stays.
 */
export async function storeActiveUserCount(db: Db, day: Date): Promise<void> {
  await db.$executeRaw`
    insert into "ActiveUserCount" (day, users)
    select ${day}::date, count(*)::int from (
      select "userId" from "Session" where "updatedAt" >= ${day} and "impersonatedBy" is null
      union
      select "subjectId" from "Event"
        where type = 'user.signed_in' and "subjectId" is not null and id >= ${firstEventId(day)}) active
    on conflict (day) do update set users = greatest("ActiveUserCount".users, excluded.users)`
}
