import type { Tx } from './foundation/db.ts'

/** Rows that one statement removes, so that no sweep holds locks for long (REL-13). */
const batch = 500

/** Mails are kept for a month: long enough to answer "did you send it?". */
const mailDays = 30

/** What became of an invitation is kept for a quarter of a year; every answer about an organization carries them all. */
const invitationDays = 90

/** Removes what is over, in small batches, each a statement of its own. */
export async function sweep(db: Tx, now: Date): Promise<void> {
  const month = new Date(now.getTime() - mailDays * 86_400_000)
  const quarter = new Date(now.getTime() - invitationDays * 86_400_000)
  await inBatches(
    () => db.$executeRaw`
    delete from "Session" where id in (select id from "Session" where "expiresAt" <= ${now} limit ${batch})`,
  )
  await inBatches(
    () => db.$executeRaw`
    delete from "Verification" where id in (select id from "Verification" where "expiresAt" <= ${now} limit ${batch})`,
  )
  await inBatches(
    () => db.$executeRaw`
    delete from "Limit" where key in (select key from "Limit" where "expiresAt" <= ${now} limit ${batch})`,
  )
  await inBatches(
    () => db.$executeRaw`
    delete from "PendingCheckout" where id in (select id from "PendingCheckout" where "expiresAt" <= ${now} limit ${batch})`,
  )
  await inBatches(
    () => db.$executeRaw`
    delete from "Invitation" where id in (
      select id from "Invitation" where "createdAt" <= ${quarter} and (status <> 'pending' or "expiresAt" <= ${now}) limit ${batch})`,
  )
  await inBatches(
    () => db.$executeRaw`
    delete from "Mail" where id in (select id from "Mail" where "createdAt" <= ${month} limit ${batch})`,
  )
}

async function inBatches(removeSome: () => Promise<number>): Promise<void> {
  while ((await removeSome()) === batch);
}
