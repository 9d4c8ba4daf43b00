import type { z } from 'zod'
import type { DisputeRow } from '../../shared/payment.ts'
import type { Tx } from '../foundation/database.ts'
import { beforeCursor, maxRows } from '../foundation/lists.ts'

type Paged = { limit?: number | undefined; cursor?: string | undefined }

/** Disputes, newest first. */
export async function listDisputes(tx: Tx, { limit = maxRows, cursor }: Paged): Promise<z.input<typeof DisputeRow>[]> {
  const from = cursor === undefined ? undefined : await tx.dispute.findUnique({ where: { disputeId: cursor } })
  if (from === null) return []
  const rows = await tx.dispute.findMany({
    where: from ? beforeCursor(from, 'disputeId') : {},
    orderBy: [{ createdAt: 'desc' }, { disputeId: 'desc' }],
    take: limit,
  })
  return rows.map(({ disputeId: id, disputeStage: stage, disputeStatus: status, ...row }) => {
    return { id, stage, status, ...row }
  })
}
