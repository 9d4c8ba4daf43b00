/** Maximum number of rows in any list. Clients page from the last row (SEC-124). */
export const maxRows = 1_000

/** Text in a LIKE pattern, with its special characters escaped. */
export function likeLiteral(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}

/**
 * LIKE patterns that find a text anywhere. One or two characters are found only at the beginning of a word, because the
 * trigram indexes cannot find them elsewhere, and texts without a letter or digit not at all: those indexes ignore
 * them, so that all rows would be read.
 */
export function searchPatterns(text: string): string[] {
  if (!/[\p{L}\p{N}]/u.test(text)) return []
  const literal = likeLiteral(text)
  return text.length < 3 ? [`${literal}%`, `% ${literal}%`] : [`%${literal}%`]
}

/** A filter for Prisma's `contains`, which passes its text to LIKE without escaping it. */
export function containing(typed: string) {
  return { contains: likeLiteral(typed.trim()), mode: 'insensitive' as const }
}

/** Keyset pagination of lists that begin with the oldest row. Later changes of rows do not affect it. */
export function afterCursor({ createdAt, id }: { createdAt: Date; id: string }) {
  return { OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }] }
}

/**
 * Keyset pagination of lists that begin with the newest row. `id` names the column of the id, whose value `row` has.
 */
export function beforeCursor<Id extends string>(row: { createdAt: Date } & Record<Id, string>, id: Id) {
  const { createdAt } = row
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, [id]: { lt: row[id] } }] }
}

/**
 * Drops rows whose relation is missing: Prisma reads relations by a second statement, and returns null for a row that
 * was deleted between the two.
 */
export function withRelation<Row>(rows: readonly Row[], relation: keyof Row): Row[] {
  return rows.filter((row) => row[relation] !== null)
}
