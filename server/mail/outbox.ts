import type { Brand } from '../../shared/brand.ts'
import { type KeyList, newId } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import type { RateLimit, Limiter } from '../foundation/limits.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Statements } from '../foundation/transactions.ts'
import { hasVerifiedEmail, displayEmail } from '../foundation/verified-email.ts'
import type { AllMailTexts } from './custom-texts.ts'
import { deliverMail } from './deliver-mail.ts'
import { createMailCodec } from './mail-codec.ts'
import { rescheduleWaitingMails, type MailParameters, storeMail } from './mail-rows.ts'
import type { Mail } from './mail.ts'
import { createMailTransport } from './smtp-transport.ts'

/** Seconds until an exhausted email budget is available again. */
export const budgetSeconds = 3600

export type Outbox = ReturnType<typeof createOutbox>

/** Maximum number of emails per hour to one email address, for one kind and for one budget (SEC-27). */
const perHour = { ofOneKind: 5, ofOneBudget: 10 }

type Options = {
  storageKeys: KeyList
  smtpUrl: string | undefined
  from: string
  limiter: Limiter
  brand: Brand
  texts: AllMailTexts
}

/** Stores emails as rows in the transaction that causes them. A job delivers them later. */
export function createOutbox({ storageKeys, smtpUrl, from, limiter, brand, texts }: Options) {
  const transport = smtpUrl ? createMailTransport(smtpUrl) : undefined

  const codec = createMailCodec({ storageKeys, brand, texts })

  /** The row of an email, with encrypted links. */
  function seal({ to, kind, language, data, links }: Mail, now: Date): MailParameters {
    const id = newId()
    const isQueued = transport !== undefined
    return { id, to, kind, language, data: codec.seal(id, data, links), at: now, isQueued }
  }

  return {
    /** Whether an SMTP server is configured. Without one, emails are only shown in the development mailbox. */
    hasMailServer: transport !== undefined,
    read: codec.read,
    preview: codec.preview,

    /**
     * Stores the email and its delivery job. Returns false, and stores nothing, if the email address is over its
     * budget.
     */
    async enqueue(tx: Tx, mail: Mail, now: Date): Promise<boolean> {
      const limits = mail.budget === null ? await limitsWithoutBudget(tx, mail) : limitsOf(mail)
      for (const limit of limits) if ((await limiter.consumeIn(tx, [limit], now)) > 0) return false
      await this.store(tx, mail, now)
      return true
    },

    /** Like `enqueue`, but refuses with 429 if the email address is over its budget. */
    async enqueueOrRefuse(tx: Tx, mail: Mail, now: Date): Promise<void> {
      if (!(await this.enqueue(tx, mail, now))) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: budgetSeconds })
    },

    /** Counts an email towards its limits, outside a transaction. Returns false if one of them is reached. */
    async count(mail: Pick<Mail, 'to' | 'kind' | 'budget'>, now: Date): Promise<boolean> {
      for (const limit of limitsOf(mail)) if ((await limiter.consume([limit], now)) > 0) return false
      return true
    },

    /** Stores an email that has been counted, and its delivery job. */
    async store(tx: Tx, mail: Mail, now: Date): Promise<void> {
      const owner = mail.isReport ? await tx.user.findUnique({ where: { email: mail.to } }) : null
      const to = owner ? displayEmail(owner) : mail.to
      const { text, values } = storeMail({ mail: seal({ ...mail, to }, now) })
      await tx.$queryRawUnsafe(text, ...values)
    },

    /**
     * Like `enqueue`, for custom statements: returns the parameter `mail` of `enqueueSql`, or undefined if over
     * budget.
     */
    async prepare(mail: Mail, now: Date): Promise<MailParameters | undefined> {
      return (await this.count(mail, now)) ? seal(mail, now) : undefined
    },

    /** The parameter `mail` of `enqueueSql`, for an email that is always sent, or that has been counted. */
    parametersOf: seal,

    /** Stores a prepared email and its job in one statement. */
    async storePrepared(sql: Statements, mail: MailParameters): Promise<void> {
      await sql.query(storeMail({ mail }))
    },

    /** Delivers an email, if an SMTP server is configured (see `deliverMail`). */
    async deliver(db: Db, id: string, now: Date) {
      return transport ? deliverMail({ db, transport, codec, from }, id, now) : ('not due' as const)
    },

    /** Reschedules waiting emails to run now, if an SMTP server is configured. */
    async rescheduleWaitingMails(db: Db, now: Date): Promise<void> {
      if (transport) await rescheduleWaitingMails(db, now)
    },

    close: () => transport?.close(),
  }
}

/**
 * Emails without a budget are always sent to users whose email address is or was verified. Strangers can cause them for
 * any other address, so those are limited like emails that anyone can trigger.
 */
async function limitsWithoutBudget(tx: Tx, { to, kind }: Mail): Promise<RateLimit[]> {
  const owner = await tx.user.findUnique({ where: { email: to }, select: { emailVerified: true, previousEmail: true } })
  return owner !== null && hasVerifiedEmail(owner) ? [] : limitsOf({ to, kind, budget: 'notice' })
}

/** Checked in order: an email over the limit of its kind does not count towards its budget. */
function limitsOf({ to, kind, budget }: Pick<Mail, 'to' | 'kind' | 'budget'>): RateLimit[] {
  if (budget === null) return []
  return [
    { key: `mail:${kind}:${to}`, max: perHour.ofOneKind, seconds: budgetSeconds },
    { key: `mail-budget:${budget}:${to}`, max: perHour.ofOneBudget, seconds: budgetSeconds },
  ]
}
