/** Maximum number of rows in any list. Clients page from the last row (SEC-124). */
export const maxRows = 1_000

/** A filter for Prisma's `contains`, with % and _ escaped because Prisma passes them to LIKE. */
export function containing(typed: string) {
  return { contains: typed.trim().replace(/[\\%_]/g, String.raw`\$&`), mode: 'insensitive' as const }
}

/** Keyset pagination by creation order, unaffected by later changes to the row. */
export function afterCursor({ createdAt, id }: { createdAt: Date; id: string }) {
  return { OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }] }
}
