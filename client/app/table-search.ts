import { z } from 'zod'

/** Rows of a page of every table. */
export const pageSize = 25

/** What a table keeps in the URL, so that "Back" and a shared link show the same rows. `page` starts at 1. */
export const TableSearch = z.object({
  q: z.coerce.string().max(100).optional().catch(undefined),
  sort: z.string().max(20).optional().catch(undefined),
  desc: z.boolean().optional().catch(undefined),
  page: z.number().int().min(1).max(40_000).optional().catch(undefined),
})
