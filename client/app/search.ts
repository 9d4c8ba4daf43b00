import * as z from 'zod/mini'
import { catch as withFallback } from 'zod/mini'

// Search parameters of the routes. By zod/mini, because every route is loaded with the sign-in page: zod weighs four times as much.

/** A search parameter that may be absent. One that is not valid is dropped instead of raising an error. */
export function maybe<Schema extends z.core.$ZodType>(schema: Schema) {
  return withFallback(z.optional(schema), undefined)
}

/** Any text. */
export const text = maybe(z.string().check(z.maxLength(2048)))
/** Checked where it is used (client/app/next.ts). */
export const NextPage = text

/** Rows of a page of every table. */
export const pageSize = 25

/** What a table keeps in the URL, so that "Back" and a shared link show the same rows. `page` starts at 1. */
export const TableSearch = z.object({
  q: maybe(z.coerce.string().check(z.maxLength(100))),
  sort: maybe(z.string().check(z.maxLength(20))),
  desc: maybe(z.boolean()),
  page: maybe(z.int().check(z.gte(1), z.lte(40_000))),
})
