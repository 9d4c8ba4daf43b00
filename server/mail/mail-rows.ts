import { statement } from '../foundation/statement.ts'

/** SQL that adds the job which delivers the email of a row, or moves it to now. */
export const addJob = `graphile_worker.add_job('deliverMail', json_build_object('id', id), job_key := 'mail:' || id, max_attempts := 25)`

/** SQL that inserts an email and its delivery job, as two CTEs. Its parameters are `MailParameters`. */
export const enqueueText = `
  mail as (
    insert into "Mail" (id, "to", kind, language, data, "createdAt")
    select :mailId, :mailTo, :mailKind, :mailLanguage::int, :mailData::jsonb, :mailAt::timestamptz where :mailId::text is not null
    returning id),
  job as (
    select ${addJob} from mail where :mailIsDelivered::boolean)`

/** Stores an email and its delivery job. */
export const storeMail = statement('mails.send', `with ${enqueueText} select count(*)::int from job`)

/** The row of an email, and whether an SMTP server is configured that it is delivered to. */
export type MailParameters = {
  /** Null means that no email is stored. */
  mailId: string | null
  mailTo: string | null
  mailKind: string | null
  mailLanguage: number | null
  mailData: string | null
  mailAt: Date
  mailIsDelivered: boolean
}

/** Parameters that insert no email. */
export function noMail(now: Date): MailParameters {
  const nothing = { mailId: null, mailTo: null, mailKind: null, mailLanguage: null, mailData: null }
  return { ...nothing, mailAt: now, mailIsDelivered: false }
}
