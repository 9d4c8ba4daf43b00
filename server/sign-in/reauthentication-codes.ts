import type { Tx } from '../foundation/database.ts'
import {
  deleteVerification,
  lockVerification,
  storeVerification,
  updateVerification,
} from '../foundation/verifications.ts'

type NewCode = { sessionId: string; userId: string; signature: string; now: Date; expiresAt: Date }
type StoredCode = { id: string; attempts: number; signature: string; expiresAt: Date }

/** Stores the code of a session, as a signature of ours, in place of an earlier one. */
export async function storeReauthenticationCode(
  tx: Tx,
  { sessionId, userId, signature, now, expiresAt }: NewCode,
): Promise<void> {
  await storeVerification(tx, {
    identifier: identify(sessionId),
    value: valueOf(0, signature),
    userId,
    expiresAt,
    now,
  })
}

/** The code of a session, locked until the transaction ends. */
export async function lockCode(tx: Tx, sessionId: string): Promise<StoredCode | undefined> {
  const row = await lockVerification(tx, identify(sessionId))
  if (!row) return undefined
  const [attempts = '', signature = ''] = row.value.split(' ')
  return { id: row.id, attempts: Number(attempts), signature, expiresAt: row.expiresAt }
}

/** Uses up a code. False if another request has used it. */
export async function deleteCode(tx: Tx, code: StoredCode): Promise<boolean> {
  return deleteVerification(tx, code)
}

export async function countReauthentication(tx: Tx, { id, attempts, signature }: StoredCode): Promise<void> {
  await updateVerification(tx, { id, value: valueOf(attempts + 1, signature) })
}

function identify(sessionId: string): string {
  return `reauthenticate:${sessionId}`
}

function valueOf(attempts: number, signature: string): string {
  return `${attempts} ${signature}`
}
