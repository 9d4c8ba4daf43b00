import { type Mail, Prisma } from '../../prisma/client/client.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { statement } from '../foundation/statement.ts'
import { daysBefore, secondsBefore } from '../foundation/time.ts'

/** SQL that adds the job which delivers the email of a row, or moves it to now. */
const addJobSql = `graphile_worker.add_job('deliverMail', json_build_object('id', id), job_key := 'mail:' || id, max_attempts := 25)`

/** SQL that inserts an email and its delivery job, as two CTEs. Its parameter `mail` is a `MailParameters`. */
export const enqueueSql = `
  mail as (
    insert into "Mail" (id, "to", kind, language, data, "createdAt")
    select :mail.id, :mail.to, :mail.kind, :mail.language::int, :mail.data::jsonb, :mail.at::timestamptz where :mail.id::text is not null
    returning id),
  job as (
    select ${addJobSql} from mail where :mail.isQueued::boolean)`

/** Stores an email and its delivery job. */
export const storeMail = statement('mails.send', `with ${enqueueSql} select count(*)::int from job`)

/** The row of an email, and whether an SMTP server is configured that it is delivered to. */
export type MailParameters = {
  /** Null means that no email is stored. */
  id: string | null
  to: string | null
  kind: string | null
  language: number | null
  data: string | null
  at: Date
  isQueued: boolean
}

/** Parameters that insert no email. */
export function noMail(now: Date): MailParameters {
  return { id: null, to: null, kind: null, language: null, data: null, at: now, isQueued: false }
}

/** Adds the job that delivers a stored email, or moves it to now. */
export async function scheduleMail(tx: Tx, id: string): Promise<void> {
  await tx.$queryRaw`select ${Prisma.raw(addJobSql)}::text from "Mail" where id = ${id}`
}

/**
 * Reschedules waiting emails to run now. From the fifth attempt a job's backoff exceeds two minutes, but emails
 * must be sent within two minutes after the mail server has recovered (REL-05). Emails older than a day are not
 * rescheduled.
 */
export async function rescheduleWaitingMails(db: Db, now: Date): Promise<void> {
  await db.$queryRaw`
    select ${Prisma.raw(addJobSql)} from "Mail" where "sentAt" is null and "rejectedAt" is null and "createdAt" between ${daysBefore(now, 1)} and ${secondsBefore(now, 30)}
      and ("claimedUntil" is null or "claimedUntil" < ${now})
    order by "createdAt" limit 500`
}

/** Deletes up to `limit` emails queued before `before`. Returns how many. */
export async function deleteMails(db: Db, { before, limit }: { before: Date; limit: number }): Promise<number> {
  return db.$executeRaw`
    delete from "Mail" where id in (select id from "Mail" where "createdAt" <= ${before} limit ${limit})`
}

/** Reopens an email that was rejected or is waiting. Undefined if there is none, or it was delivered. */
export async function reopenMail(tx: Tx, id: string): Promise<{ kind: string } | undefined> {
  const data = { rejectedAt: null, failure: null }
  const [mail] = await tx.mail.updateManyAndReturn({ where: { id, sentAt: null }, data })
  return mail
}

/** Claims an undelivered email for this worker. Undefined if it is not due, or another worker has claimed it. */
export async function claimMail(
  db: Db,
  id: string,
  { now, until }: { now: Date; until: Date },
): Promise<Mail | undefined> {
  const free = { OR: [{ claimedUntil: null }, { claimedUntil: { lt: now } }] }
  const [mail] = await db.mail.updateManyAndReturn({
    where: { id, sentAt: null, rejectedAt: null, ...free },
    data: { claimedUntil: until },
  })
  return mail
}

/** Whether an email is neither sent nor rejected. */
export async function isMailQueued(db: Db, id: string): Promise<boolean> {
  return (await db.mail.count({ where: { id, sentAt: null, rejectedAt: null } })) > 0
}

/** Stores why an email was not sent. It is retried, unless the mail server has rejected it. */
export async function markMailFailed(
  db: Db,
  id: string,
  { failure, rejectedAt }: { failure: string; rejectedAt: Date | undefined },
): Promise<void> {
  await db.mail.updateMany({ where: { id }, data: { claimedUntil: null, failure, ...(rejectedAt && { rejectedAt }) } })
}

/** Marks an email as delivered. `data` replaces its values, without the links that only its recipient may have. */
export async function markMailSent(
  db: Db,
  id: string,
  { data, now }: { data: Prisma.InputJsonValue; now: Date },
): Promise<void> {
  await db.mail.updateMany({ where: { id }, data: { sentAt: now, claimedUntil: null, failure: null, data } })
}
