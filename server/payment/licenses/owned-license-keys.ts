import type { z } from 'zod'
import type { LicenseKeyRow } from '../../../shared/payment.ts'
import type { Db } from '../../foundation/database.ts'
import { beforeCursor, maxRows } from '../../foundation/lists.ts'
import type { BillingOwnerPage } from '../billing-owner/billing-owner.ts'

/**
 * License keys of an owner, newest first. A key without an owner waits for its purchase, even if its customer has an
 * owner.
 */
export async function listLicenseKeys(
  db: Db,
  { owner, limit = maxRows, cursor }: BillingOwnerPage,
): Promise<z.input<typeof LicenseKeyRow>[]> {
  const from = cursor === undefined ? undefined : await db.licenseKey.findFirst({ where: { id: cursor, ...owner } })
  if (from === null) return []
  const older = from && beforeCursor(from, 'id')
  return db.licenseKey.findMany({
    where: older ? { AND: [owner, older] } : owner,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  })
}
