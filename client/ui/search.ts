import { maxTarget } from '../../shared/redirect.ts'

// Parsers of the routes' search parameters, as plain functions: every route is loaded with the sign-in page, and a
// schema library is larger than all of them.

/** Parses a value of the URL. Undefined if it is invalid: it is dropped instead of raising an error. */
type Reader<Value> = (value: unknown) => Value | undefined

type Read<Readers> = { [Key in keyof Readers]?: Readers[Key] extends Reader<infer Value> ? Value | undefined : never }

/**
 * Parses the search parameters of a route. All of its keys are returned, because the router would show the raw value of
 * a missing one.
 */
export function searchOf<Readers extends Record<string, Reader<unknown>>>(readers: Readers) {
  return (search: Record<string, unknown>): Read<Readers> => {
    const values = Object.entries(readers).map(([key, read]) => [key, read(search[key])])
    return Object.fromEntries(values) as Read<Readers>
  }
}

/** A text of at most this many characters. The router has converted a numeric one to a number. */
export const textUpTo =
  (max: number): Reader<string> =>
  (value) =>
    ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= max ? String(value) : undefined

/** Any text. */
export const text = textUpTo(2048)
/** Validated where it is used (ui/next.ts). The address of a protected application is encoded in it. */
export const nextPage = textUpTo(3 * maxTarget)

/** A search text. */
export const query = textUpTo(100)

export const flag: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)
/** A flag that is set or absent. */
export const yes: Reader<true> = (value) => (value === true ? true : undefined)

/** A number, also if it was written as text. */
export const number: Reader<number> = (value) => {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined
}

export const oneOf =
  <Value extends string>(values: readonly Value[]): Reader<Value> =>
  (value) =>
    values.find((known) => known === value)

/** A day of the calendar, as 2026-11-24. */
export const day: Reader<string> = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined

/** An error code, which is displayed unchanged. */
export const errorCode: Reader<string> = (value) =>
  typeof value === 'string' && /^[\w. -]{1,64}$/.test(value) ? value : undefined

const pageNumber: Reader<number> = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 40_000 ? value : undefined

/** Number of rows per page in every table. */
export const pageSize = 25

/** The state that a table keeps in the URL, so that "Back" and a shared link show the same rows. `page` starts at 1. */
export const tableSearch = { q: query, sort: textUpTo(20), desc: flag, page: pageNumber }
export type TableSearch = Read<typeof tableSearch>
