import { setTimeout as wait } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Pool } from 'pg'
import { z } from 'zod'
import { languageById, type Language, type LanguageId } from '../../shared/language.ts'
import { decrypt, encrypt, newId, type KeyList } from './crypto.ts'
import type { Tx } from './db.ts'
import { isLoopback } from './address.ts'
import { type Letter, writeLetter } from './letter.ts'
import type { Limit, Limiter } from './limits.ts'

/** A mail before it is a row. `links` may hold secrets: they are stored encrypted and erased after delivery (R50). */
export type Mail = {
  to: string
  kind: string
  language: LanguageId
  data: Record<string, string>
  links: Record<string, string>
  /** Which budget of the address it counts for; null for reports of what has happened, which are always sent. */
  budget: MailBudget | null
  /** A report to the owner: it goes to the last verified address while the current one is unverified. */
  isReport: boolean
}

/**
 * Mails that somebody can cause are counted for their address by class, so that one class cannot use up another (SEC-115): a
 * forgotten password; what a signed-in owner asked for; verification and sign-up attempts; invitations and notices.
 */
export type MailBudget = 'reset' | 'confirmation' | 'verification' | 'notice'

/** A room's wording of one kind of mail. */
export type Wording = (values: Record<string, string>, language: Language) => Letter

export type Outbox = ReturnType<typeof openOutbox>

/** At most this many mails of one kind, and of one budget, to one address in an hour (SEC-27). */
const perHour = { ofOneKind: 5, ofOneBudget: 10 }

/** SMTP waits, in milliseconds: a server that hangs costs a worker these, and nobody else. */
const smtpWaits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** One delivery takes at most so long, however slowly its server answers. */
const deliveryMs = 50_000

/** How long one worker holds a mail: longer than a delivery, so that two never send one mail. */
const claimMs = 60_000

type Place = {
  storageKeys: KeyList
  smtpUrl: string | undefined
  from: string
  limiter: Limiter
  wordings: Record<string, Wording>
}

/** Mails as rows: written in the transaction of their cause, delivered later by a job (R42). */
export function openOutbox({ storageKeys, smtpUrl, from, limiter, wordings }: Place) {
  const transport = smtpUrl ? createTransport({ ...transportOf(smtpUrl), ...smtpWaits }) : undefined

  /** The finished letter of a stored mail, links included while they are still there. */
  function write(mail: {
    id: string
    kind: string
    language: number
    data: unknown
  }): Letter & { html: string; text: string } {
    const { sealed, ...data } = StoredData.parse(mail.data)
    const opened = sealed === undefined ? undefined : decrypt(storageKeys, sealed, mail.id)
    const language = languageById(mail.language)
    const wording = wordings[mail.kind]
    if (!wording) throw new Error(`No wording for mails of the kind ${mail.kind}`)
    const letter = wording({ ...data, ...(opened ? Links.parse(JSON.parse(opened)) : {}) }, language)
    return { ...letter, ...writeLetter(letter, language) }
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
    write,

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
        const { subject, html, text } = write(mail)
        // The mail goes to the stored address as an address, never parsed again as a list (SEC-11).
        const to = { name: '', address: mail.to }
        const headers = { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': mail.id }
        const sent = transport.sendMail({ from, to, subject, html, text, headers, messageId: `<${mail.id}@foyer>` })
        await within(deliveryMs, sent)
      } catch (error) {
        const failure = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
        const isFinal = isRefusedForGood(error)
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

/**
 * How the mail server is reached. `smtp://` has to be upgraded by STARTTLS (RFC 3207) before anything is sent, unless the
 * server is on this machine or the URL says `?tls=off`.
 */
function transportOf(smtpUrl: string) {
  const url = new URL(smtpUrl)
  const ignoreTLS = url.searchParams.get('tls') === 'off'
  url.searchParams.delete('tls')
  // A server on this machine may have a certificate that nobody has signed.
  const isLocal = isLoopback(url.hostname)
  const requireTLS = url.protocol === 'smtp:' && !ignoreTLS && !isLocal
  return { url: url.href, requireTLS, ignoreTLS, ...(isLocal && { tls: { rejectUnauthorized: false } }) }
}

/** One after the other: what its kind has no room for does not count for its class. */
function limitsOf({ to, kind, budget }: Mail): Limit[] {
  if (budget === null) return []
  return [
    { key: `mail:${kind}:${to}`, max: perHour.ofOneKind, seconds: 3600 },
    { key: `mail-budget:${budget}:${to}`, max: perHour.ofOneBudget, seconds: 3600 },
  ]
}

/**
 * A permanent answer of the server (RFC 5321, 4.2.1) to this sender, recipient or message: this mail will never go out. A
 * refused password or a missing STARTTLS is the operator's to mend, and every mail waits for it.
 */
function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return false
  return Number(error.responseCode) >= 500 && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE')
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const over = new AbortController()
  const late = wait(milliseconds, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error('The mail server took too long')
  })
  late.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}

const Links = z.record(z.string(), z.string())
const StoredData = z.object({ sealed: z.string().optional() }).catchall(z.string())

function secondsBefore(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1000)
}

function daysBefore(now: Date, days: number): Date {
  return secondsBefore(now, days * 86_400)
}
