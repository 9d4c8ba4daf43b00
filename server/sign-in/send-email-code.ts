import type { z } from 'zod'
import type { CodeUse, SignInMagicLink } from '../../shared/email-code.ts'
import { withQuery } from '../../shared/redirect.ts'
import { findRecoverable } from '../account/users.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction, runAndRollBack } from '../foundation/transactions.ts'
import { type MailRecipient, composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import { knownDevice } from '../session/known-devices.ts'
import { storeEmailCode } from './email-codes.ts'
import { newLinkToken, storeLink } from './magic-links.ts'

const kinds = {
  'sign-in': 'signInCode',
  'email-verification': 'verificationCode',
  'forget-password': 'resetCode',
} as const

/**
 * Emails a code to an email address. The response and the work are the same whether or not a user has the address
 * (SEC-120).
 */
export async function sendEmailCode(ctx: Context, { email, use }: { email: string; use: CodeUse }): Promise<void> {
  if (use === 'sign-in' && ctx.config.emailCode === 'off') refuse('NOT_FOUND')
  await send(ctx, { email, use, kind: kinds[use] })
}

/**
 * Emails a link that signs in the browser that requested it. Opened in another browser, it shows a code to enter there.
 */
export async function sendMagicLink(ctx: Context, input: z.output<typeof SignInMagicLink>): Promise<void> {
  if (ctx.config.emailCode === 'off') refuse('NOT_FOUND')
  await send(ctx, { ...input, use: 'sign-in', kind: 'signInLink' })
}

type CodeRequest = {
  email: string
  use: CodeUse
  kind: (typeof kinds)[CodeUse] | 'signInLink'
  name?: string | undefined
  callbackURL?: string | undefined
}

async function send(ctx: Context, { email, use, kind, name, callbackURL }: CodeRequest): Promise<void> {
  const { config, now, keys, cookies } = ctx
  const user = await findRecoverable(ctx.db, email)
  const isNew = !user && use === 'sign-in' && config.emailCode === 'on'
  const isNotified = isNew || (user !== undefined && (use !== 'email-verification' || !user.emailVerified))
  const addressee = { email, name: user?.name ?? name ?? '', language: user?.language ?? ctx.language.id }
  const budget = 'code' as const
  // Counted for every email address, so that an exhausted budget changes the work for all of them alike. Browsers known
  // to the user have a separate count, which others cannot use up.
  const device = knownDevice(cookies, user)
  const owner = isNotified ? email : `nobody:${email}`
  const isCounted = await ctx.outbox.count(
    { to: device === undefined ? owner : `${device}:${email}`, kind, budget },
    now,
  )
  const isSent = isNotified && isCounted
  await transaction(ctx, async (tx) => {
    const linkToken = newLinkToken()
    const wanted = { use, email, name, isSent, device, userId: user?.id, ...(kind === 'signInLink' && { linkToken }) }
    const { code, expiresAt } = await storeEmailCode(tx, { keys: keys.links, cookies, now }, wanted)
    if (kind === 'signInLink' && isSent)
      await storeLink(tx, keys.storage, { token: linkToken, email, code, now, expiresAt })
    const link = `${config.appOrigin}${withQuery(`${config.basePath}/magic-link/verify`, { token: linkToken, callbackURL: callbackURL ?? '/' })}`
    const mailContext = { ...ctx, code, expiresAt, budget, ...(kind === 'signInLink' && { link }) }
    const mail = composeMail(kind, addressee, mailContext)
    if (isSent) await ctx.outbox.store(tx, mail, now)
  })
  if (isCounted && !isNotified) await simulateSending(ctx, { addressee, kind })
}

/** Does the work of an email for an email address that gets none, without sending one (SEC-120). */
async function simulateSending(
  ctx: Context,
  { addressee, kind }: { addressee: MailRecipient; kind: CodeRequest['kind'] },
): Promise<void> {
  const mailContext = { ...ctx, code: '000000', expiresAt: ctx.now, budget: 'code' as const }
  await runAndRollBack(ctx, (tx) => ctx.outbox.store(tx, composeMail(kind, addressee, mailContext), ctx.now))
}
