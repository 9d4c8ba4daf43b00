import { newId } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'

type NewCode = { sessionId: string; userId: string; signature: string; now: Date; expiresAt: Date }
type StoredCode = { id: string; attempts: number; signature: string; expiresAt: Date }

/** Stores the code of a session, as a signature of ours, in place of an earlier one. */
export async function storeCode(tx: Tx, { sessionId, userId, signature, now, expiresAt }: NewCode): Promise<void> {
  const identifier = identify(sessionId)
  const stored = { value: valueOf(0, signature), expiresAt, userId, createdAt: now }
  await tx.verification.upsert({
    where: { identifier },
    create: { id: newId(), identifier, ...stored },
    update: stored,
  })
}

/** The code of a session, locked until the transaction ends. */
export async function lockCode(tx: Tx, sessionId: string): Promise<StoredCode | undefined> {
  const [row] = await tx.$queryRaw<{ id: string; value: string; expiresAt: Date }[]>`
    select id, value, "expiresAt" from "Verification" where identifier = ${identify(sessionId)} for update`
  if (!row) return undefined
  const [attempts = '', signature = ''] = row.value.split(' ')
  return { id: row.id, attempts: Number(attempts), signature, expiresAt: row.expiresAt }
}

export async function deleteCode(tx: Tx, { id }: StoredCode): Promise<void> {
  await tx.verification.delete({ where: { id } })
}

export async function countAttempt(tx: Tx, { id, attempts, signature }: StoredCode): Promise<void> {
  await tx.verification.update({ where: { id }, data: { value: valueOf(attempts + 1, signature) } })
}

function identify(sessionId: string): string {
  return `reauthenticate:${sessionId}`
}

function valueOf(attempts: number, signature: string): string {
  return `${attempts} ${signature}`
}
