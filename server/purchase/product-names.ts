import type { Db } from '../foundation/database.ts'

/**
 * Adds the name of its product to each row. The names are those last read from the payment provider: null if the
 * product was never read.
 */
export async function withProductNames<Row extends { productId: string }>(
  db: Db,
  rows: readonly Row[],
): Promise<(Row & { productName: string | null })[]> {
  const ids = [...new Set(rows.map(({ productId }) => productId))]
  if (ids.length === 0) return []
  const products = await db.product.findMany({
    where: { productId: { in: ids } },
    select: { productId: true, name: true },
  })
  const names = new Map(products.map(({ productId, name }) => [productId, name]))
  return rows.map((row) => ({ ...row, productName: names.get(row.productId) ?? null }))
}
