import { z } from 'zod'
import type { Brand } from '../../shared/brand.ts'
import { languageById } from '../../shared/language.ts'
import { decrypt, encrypt, newId, type KeyList } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import type { Statements } from '../foundation/transactions.ts'
import type { Limit, Limiter } from '../foundation/limits.ts'
import { statement } from '../foundation/statement.ts'
import { mailKinds } from './mail-texts.ts'
import { openTransport, isRefusedPermanently } from './delivery.ts'
import { layoutMail, type MailContent } from './layout.ts'
import type { Mail } from './mail.ts'
import type { AllMailTexts } from './own-texts.ts'
import { renderMail } from './templates.ts'
import { daysBefore, secondsBefore } from '../foundation/time.ts'

/** Seconds until an exhausted email budget is available again. */
export const budgetSeconds = 3600

export type Outbox = ReturnType<typeof openOutbox>

/** Maximum number of emails per hour to one email address, for one kind and for one budget (SEC-27). */
const perHour = { ofOneKind: 5, ofOneBudget: 10 }

/** Shown in place of a link or a code. */
const hidden = '••••••'

/** How long a worker claims an email: longer than a delivery takes, so that no email is sent twice. */
const claimMs = 60_000

type Options = {
  storageKeys: KeyList
  smtpUrl: string | undefined
  from: string
  limiter: Limiter
  brand: Brand
  texts: AllMailTexts
}

/** Stores emails as rows in the transaction that causes them. A job delivers them later. */
export function openOutbox({ storageKeys, smtpUrl, from, limiter, brand, texts }: Options) {
  const transport = smtpUrl ? openTransport(smtpUrl) : undefined

  /** Renders a stored email, including its links if they have not been erased. */
  function read(mail: {
    id: string
    kind: string
    language: number
    data: unknown
  }): MailContent & { html: string; text: string } {
    const { sealed, ...data } = StoredData.parse(mail.data)
    const opened = sealed === undefined ? undefined : decrypt(storageKeys, sealed, mail.id)
    const language = languageById(mail.language)
    const links = opened === undefined ? {} : Links.parse(JSON.parse(opened))
    const content = renderMail(mail.kind, { ...data, ...links }, language, texts)
    return { ...content, ...layoutMail(content, language, brand) }
  }

  /** Subject and text of a stored email for people other than its recipient. Links and codes are hidden. */
  function preview({ kind, language, data }: { kind: string; language: number; data: unknown }) {
    const { sealed: _hidden, ...values } = StoredData.parse(data)
    // A kind from an earlier version no longer has a text.
    if (!mailKinds.some((known) => known === kind)) return { subject: kind, text: '' }
    const content = renderMail(kind, { ...values, link: hidden, code: hidden }, languageById(language), texts)
    return { subject: content.subject, text: layoutMail(content, languageById(language), brand).text }
  }

  /** The row parameters of an email, with encrypted links. */
  function seal({ to, kind, language, data, links }: Mail, now: Date): MailParameters {
    const id = newId()
    const sealed = encrypt(storageKeys, JSON.stringify(links), id)
    return {
      mailId: id,
      mailTo: to,
      mailKind: kind,
      mailLanguage: language,
      mailData: JSON.stringify({ ...data, sealed }),
      mailAt: now,
      mailIsDelivered: transport !== undefined,
    }
  }

  return {
    /** Whether an SMTP server is configured. Without one, emails are only shown in the development mailbox. */
    delivers: transport !== undefined,
    read,
    preview,

    /**
     * Stores the email and its delivery job. Returns false, and stores nothing, if the email address is over its
     * budget.
     */
    async enqueue(tx: Tx, mail: Mail, now: Date): Promise<boolean> {
      const limits = mail.budget === null ? await reportLimits(tx, mail) : limitsOf(mail)
      for (const limit of limits) if ((await limiter.consumeIn(tx, [limit], now)) > 0) return false
      await this.store(tx, mail, now)
      return true
    },

    /** Counts an email towards its limits, outside a transaction. Returns false if one of them is reached. */
    async count(mail: Pick<Mail, 'to' | 'kind' | 'budget'>, now: Date): Promise<boolean> {
      for (const limit of limitsOf(mail)) if ((await limiter.consume([limit], now)) > 0) return false
      return true
    },

    /** Stores an email that has been counted, and its delivery job. */
    async store(tx: Tx, mail: Mail, now: Date): Promise<void> {
      const owner = mail.isReport ? await tx.user.findUnique({ where: { email: mail.to } }) : null
      const to = owner?.previousEmail ?? mail.to
      const { text, values } = storeMail(seal({ ...mail, to }, now))
      await tx.$queryRawUnsafe(text, ...values)
    },

    /** Like `enqueue`, for custom statements: returns parameters for `enqueueText`, or undefined if over budget. */
    async prepare(mail: Mail, now: Date): Promise<MailParameters | undefined> {
      return (await this.count(mail, now)) ? seal(mail, now) : undefined
    },

    /** Parameters of `enqueueText` for an email that is always sent, or that has been counted. */
    parametersOf: seal,

    /** Stores a prepared email and its job in one statement. */
    async send(sql: Statements, mail: MailParameters): Promise<void> {
      await sql.query(storeMail(mail))
    },

    /**
     * Sends an email unless it has been sent already. Throws if the server rejects it, or if another worker, which may
     * have ended since, has claimed it. The job is then retried.
     */
    async deliver(db: Tx, id: string, now: Date): Promise<'sent' | 'given up' | 'not due'> {
      if (!transport) return 'not due'
      const claimedUntil = new Date(now.getTime() + claimMs)
      const [mail] = await db.mail.updateManyAndReturn({
        where: { id, deliveredAt: null, givenUpAt: null, OR: [{ claimedUntil: null }, { claimedUntil: { lt: now } }] },
        data: { claimedUntil },
      })
      if (!mail) {
        const isClaimed = await db.mail.count({ where: { id, deliveredAt: null, givenUpAt: null } })
        if (isClaimed > 0) throw new Error('Another worker may still be sending this email')
        return 'not due'
      }
      try {
        const { subject, html, text } = read(mail)
        // The recipient is passed as a single email address, never parsed as an address list (SEC-11).
        const to = { name: '', address: mail.to }
        const headers = { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': mail.id }
        await transport.send({ from, to, subject, html, text, headers, messageId: `<${mail.id}@foyer>` })
      } catch (error) {
        const failure = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
        const isFinal = isRefusedPermanently(error)
        await db.mail.updateMany({
          where: { id },
          data: { claimedUntil: null, failure, ...(isFinal && { givenUpAt: now }) },
        })
        if (isFinal) return 'given up'
        throw error
      }
      const { sealed: _erased, ...data } = StoredData.parse(mail.data)
      await db.mail.updateMany({ where: { id }, data: { deliveredAt: now, claimedUntil: null, failure: null, data } })
      return 'sent'
    },

    /**
     * Reschedules waiting emails to run now. From the fifth attempt a job's backoff exceeds two minutes, but emails
     * must be sent within two minutes after the mail server has recovered (REL-05). Emails older than a day are not
     * rescheduled.
     */
    async bringForward(db: Tx, now: Date): Promise<void> {
      if (!transport) return
      await db.$queryRaw`
        select graphile_worker.add_job('deliverMail', json_build_object('id', id), job_key := 'mail:' || id, max_attempts := 25)
        from "Mail" where "deliveredAt" is null and "givenUpAt" is null and "createdAt" between ${daysBefore(now, 1)} and ${secondsBefore(now, 30)}
          and ("claimedUntil" is null or "claimedUntil" < ${now})
        order by "createdAt" limit 500`
    },

    close: () => transport?.close(),
  }
}

/** SQL that inserts an email and its delivery job, as two CTEs. Its parameters are `MailParameters`. */
export const enqueueText = `
  mail as (
    insert into "Mail" (id, "to", kind, language, data, "createdAt")
    select :mailId, :mailTo, :mailKind, :mailLanguage::int, :mailData::jsonb, :mailAt::timestamptz where :mailId::text is not null
    returning id),
  job as (
    select graphile_worker.add_job('deliverMail', json_build_object('id', id), job_key := 'mail:' || id, max_attempts := 25)
    from mail where :mailIsDelivered::boolean)`

const storeMail = statement('mails.send', `with ${enqueueText} select count(*)::int from job`)

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

/**
 * Reports are always sent to users whose email address is or was verified. Strangers can cause reports to any other
 * email address, so those are limited like emails that anyone can trigger.
 */
async function reportLimits(tx: Tx, { to, kind }: Mail): Promise<Limit[]> {
  const owner = await tx.user.findUnique({ where: { email: to }, select: { emailVerified: true, previousEmail: true } })
  const isVerified = owner !== null && (owner.emailVerified || owner.previousEmail !== null)
  return isVerified ? [] : limitsOf({ to, kind, budget: 'notice' })
}

/** Checked in order: an email over the limit of its kind does not count towards its budget. */
function limitsOf({ to, kind, budget }: Pick<Mail, 'to' | 'kind' | 'budget'>): Limit[] {
  if (budget === null) return []
  return [
    { key: `mail:${kind}:${to}`, max: perHour.ofOneKind, seconds: budgetSeconds },
    { key: `mail-budget:${budget}:${to}`, max: perHour.ofOneBudget, seconds: budgetSeconds },
  ]
}

const Links = z.record(z.string(), z.string())
const StoredData = z.object({ sealed: z.string().optional() }).catchall(z.string())
