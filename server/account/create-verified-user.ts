import { FullUser } from '../../shared/account.ts'
import { record } from '../event/record.ts'
import type { Tx } from '../foundation/database.ts'
import type { Context } from '../request/context.ts'
import { readUser } from '../session/users.ts'
import { storePassword } from './credentials.ts'
import { verifyEmailAndRecord } from './mark-email-verified.ts'
import { insertUser, newUser } from './users.ts'

type Verified = {
  email: string
  name: string
  /** Without a password, the owner signs in with emailed codes, or sets one through an emailed link. */
  passwordHash?: string
  method: 'claim' | 'invitation' | 'reset' | 'email_code' | 'magic_link'
}

/** Creates an account whose email address is already verified, because the user presented a secret emailed to it. */
export async function createVerifiedUser(tx: Tx, ctx: Context, { email, name, passwordHash, method }: Verified) {
  const { now } = ctx
  const { id } = await insertUser(tx, newUser({ email, name, now, language: ctx.language.id }))
  if (passwordHash !== undefined) await storePassword(tx, { userId: id, passwordHash, now })
  await record(tx, ctx, {
    type: 'user.signed_up',
    actorId: id,
    data: { method: method === 'reset' ? 'claim' : method },
  })
  const isCode = method === 'email_code' || method === 'magic_link'
  await verifyEmailAndRecord(tx, ctx, { userId: id, email }, isCode ? 'code' : method)
  return FullUser.parse(await readUser(tx, id))
}
