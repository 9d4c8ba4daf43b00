import { z } from 'zod'

// Payloads are parsed leniently: the provider adds fields and states, and sends null where its documentation says text.
// An object without an id cannot become a row, and fails; its event is kept.
export const Id = z.string().min(1).max(256)
/** A text of at most 2000 characters. Null instead of anything else. */
export const Text = z.string().max(2000).nullish().catch(null)
/** Maximum of a 64-bit column. */
const maxInt64 = 9_223_372_036_854_775_807n
/** An amount in the smallest unit of its currency: cut to a whole number, and limited to the range of its column. */
export const Amount = z
  .number()
  .nullish()
  .catch(null)
  .transform((value) => {
    if (value == null || !Number.isFinite(value)) return null
    const whole = BigInt(Math.trunc(value))
    return whole > maxInt64 ? maxInt64 : whole < -maxInt64 ? -maxInt64 : whole
  })
/** A whole number from 0 to the maximum of its column. 1 instead of anything that is no number. */
export const Count = z
  .number()
  .catch(1)
  .transform((value) => Math.max(0, Math.min(2_147_483_647, Math.trunc(value))))
/** A time from 1843 to 2096. Null instead of anything else. */
export const Time = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => {
    const time = new Date(text ?? '')
    return Number.isNaN(time.getTime()) || Math.abs(time.getTime()) > 4e12 ? null : time
  })
/** The customer of an object. Null if it has no id. */
export const Party = z
  .looseObject({ customer_id: Id, email: z.string().max(254).catch(''), name: z.string().max(500).catch('') })
  .nullish()
  .catch(null)
export const Metadata = z.record(z.string(), z.unknown()).nullish().catch(null)
