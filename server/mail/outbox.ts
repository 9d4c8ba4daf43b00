import type { Pool } from 'pg'
import { z } from 'zod'
import { languageById } from '../../shared/language.ts'
import { decrypt, encrypt, newId, type KeyList } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import type { Limit, Limiter } from '../foundation/limits.ts'
import { openTransport, isRefusedPermanently } from './delivery.ts'
import { layoutMail, type MailContent } from './layout.ts'
import type { Mail } from './mail.ts'
import { renderMail } from './templates.ts'

export type Outbox = ReturnType<typeof openOutbox>

/** At most this many mails of one kind, and of one budget, to one address in an hour (SEC-27). */
const perHour = { ofOneKind: 5, ofOneBudget: 10 }

/** How long one worker holds a mail: longer than a delivery, so that two never send one mail. */
const claimMs = 60_000

type Options = { storageKeys: KeyList; smtpUrl: string | undefined; from: string; limiter: Limiter }

/** Mails as rows: written in the transaction of their cause, delivered later by a job. */
export function openOutbox({ storageKeys, smtpUrl, from, limiter }: Options) {
  const transport = smtpUrl ? openTransport(smtpUrl) : undefined

  /** A stored mail as it is read, links included while they are still there. */
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
    const content = renderMail(mail.kind, { ...data, ...links }, language)
    return { ...content, ...layoutMail(content, language) }
  }

  /** A mail as the parameters of its row, links encrypted. */
  function seal({ to, kind, language, data, links }: Mail, now: Date): MailParameters {
    const id = newId()
    const sealed = encrypt(storageKeys, JSON.stringify(links), id)
    return [id, to, kind, language, JSON.stringify({ ...data, sealed }), now, transport !== undefined]
  }

  return {
    /** Is there a server to deliver to? Without one the mails wait for the development mailbox. */
    delivers: transport !== undefined,
    read,

    /** Writes the mail and the job that delivers it. Over the budget of the address nothing is written: false. */
    async enqueue(tx: Tx, mail: Mail, now: Date): Promise<boolean> {
      for (const limit of limitsOf(mail)) if ((await limiter.consumeIn(tx, [limit], now)) > 0) return false
      const owner = mail.isReport ? await tx.user.findUnique({ where: { email: mail.to } }) : null
      const to = owner?.previousEmail ?? mail.to
      await tx.$queryRawUnsafe(`with ${enqueueText(1)} select count(*)::int from job`, ...seal({ ...mail, to }, now))
      return true
    },

    /** The same for a statement of one's own: parameters for `enqueueText`, or undefined when the budget is spent. */
    async prepare(mail: Mail, now: Date): Promise<MailParameters | undefined> {
      for (const limit of limitsOf(mail)) if ((await limiter.consume([limit], now)) > 0) return undefined
      return seal(mail, now)
    },

    /** Writes a prepared mail and its job, as one statement on the pool. */
    async send(pool: Pick<Pool, 'query'>, mail: MailParameters): Promise<void> {
      const text = `with ${enqueueText(1)} select count(*)::int from job`
      await pool.query({ name: 'mails.send', text, values: mail })
    },

    /** Sends one mail, unless it is sent or another worker holds it. Throws when the server refuses: the job is tried again. */
    async deliver(db: Tx, id: string, now: Date): Promise<void> {
      if (!transport) return
      const claimedUntil = new Date(now.getTime() + claimMs)
      const [mail] = await db.mail.updateManyAndReturn({
        where: { id, deliveredAt: null, givenUpAt: null, OR: [{ claimedUntil: null }, { claimedUntil: { lt: now } }] },
        data: { claimedUntil },
      })
      if (!mail) return
      try {
        const { subject, html, text } = read(mail)
        // The mail goes to the stored address as an address, never parsed again as a list (SEC-11).
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
        if (isFinal) return
        throw error
      }
      const { sealed: _erased, ...data } = StoredData.parse(mail.data)
      await db.mail.updateMany({ where: { id }, data: { deliveredAt: now, claimedUntil: null, failure: null, data } })
    },

    /**
     * Brings forward what still waits: a job's own waits pass two minutes at its fifth try, and a mail must go out within
     * two minutes after its server is back (REL-05). Mails older than a day stay where they are.
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

/** Row and job of a mail as two parts of a statement; `first` is the number of the first of the seven parameters. */
export function enqueueText(first: number): string {
  const [id, to, kind, language, data, now, delivers] = [0, 1, 2, 3, 4, 5, 6].map((n) => `$${first + n}`)
  return `mail as (
      insert into "Mail" (id, "to", kind, language, data, "createdAt")
      select ${id}, ${to}, ${kind}, ${language}::int, ${data}::jsonb, ${now}::timestamptz where ${id}::text is not null
      returning id),
    job as (
      select graphile_worker.add_job('deliverMail', json_build_object('id', id), job_key := 'mail:' || id, max_attempts := 25)
      from mail where ${delivers}::boolean)`
}

/** id, to, kind, language, data, time, and whether there is a server to deliver to; nulls for no mail. */
export type MailParameters = [
  ...[id: string | null, to: string | null, kind: string | null, language: number | null, data: string | null],
  ...[now: Date, delivers: boolean],
]

/** Parameters that write nothing. */
export function noMail(now: Date): MailParameters {
  return [null, null, null, null, null, now, false]
}

/** One after the other: what its kind has no room for does not count for its class. */
function limitsOf({ to, kind, budget }: Mail): Limit[] {
  if (budget === null) return []
  return [
    { key: `mail:${kind}:${to}`, max: perHour.ofOneKind, seconds: 3600 },
    { key: `mail-budget:${budget}:${to}`, max: perHour.ofOneBudget, seconds: 3600 },
  ]
}

const Links = z.record(z.string(), z.string())
const StoredData = z.object({ sealed: z.string().optional() }).catchall(z.string())

function secondsBefore(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1000)
}

function daysBefore(now: Date, days: number): Date {
  return secondsBefore(now, days * 86_400)
}
