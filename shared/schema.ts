import { z } from 'zod'
import { maxTargetWithQuery } from './redirect.ts'

// Values and answers that the schemas of several modules have in common.

/** A timestamp: a Date in code, ISO 8601 with milliseconds in JSON. */
export const Timestamp = z.coerce.date<Date | string>()

/** Redirect target after the call. It is validated before the rest of the input. */
export const RedirectTarget = z.string().max(maxTargetWithQuery)

/** Display name: 1 to 100 characters, no control or bidirectional formatting characters. */
export const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(text), 'has control characters')
  .refine((text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text), 'has no visible characters')

/** Picture URL: https, or http (which the server allows only for its own origin). The server never fetches it. */
export const PictureUrl = z
  .string()
  .max(2048)
  .refine((text) => /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text) && !new URL(text).username)

/** An id or a public handle (SEC-80). An unknown one matches nothing. */
export const Id = z.string().min(1).max(64)

/** An id that a provider has given. */
export const ExternalId = z.string().min(1).max(256)

/** Pagination: `limit` rows after the row with id `cursor`. If omitted, a list returns all rows up to its maximum. */
export const Page = z
  .object({ limit: z.coerce.number().int().min(1).max(100).optional(), cursor: Id.optional() })
  .default({})

/**
 * A page of a table: `limit` rows from row `offset`. A table also returns the total, so that its pages have numbers.
 */
export const TablePage = z.object({
  limit: z.number().int().min(1).max(100).default(25),
  offset: z.number().int().min(0).max(1_000_000).default(0),
})

export const Status = z.object({ status: z.literal(true) })

export const Success = z.object({ success: z.literal(true) })

/** Additional OAuth scopes, each limited to the characters allowed in a scope. */
export const Scopes = z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/)).max(50)

/** A query flag: true only for `true`. Any other value is false, never an error. */
export const Flag = z
  .union([z.boolean(), z.string()])
  .optional()
  .transform((value) => value === true || value === 'true')

/** Actions by resource, such as `{ team: ['create'] }`. */
export const PermissionRequest = z.record(z.string(), z.array(z.string()))

/** Whether all of the requested actions are permitted. */
export const PermissionResponse = z.object({ error: z.null(), success: z.boolean() })
