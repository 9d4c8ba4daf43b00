import { isDeepStrictEqual } from 'node:util'

/** Whether the value is a plain object, as opposed to null, an array or a primitive. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A copy without the properties that are `undefined`, as JSON omits them. */
export function withoutUndefined<Values extends object>(
  values: Values,
): { [Key in keyof Values]: Exclude<Values[Key], undefined> } {
  const copy = { ...values }
  for (const key in copy) if (copy[key] === undefined) delete copy[key]
  return copy as { [Key in keyof Values]: Exclude<Values[Key], undefined> }
}

/** Those of the named fields whose values differ. */
export function changedFields<Name extends string>(
  names: readonly Name[],
  former: Readonly<Record<Name, unknown>>,
  current: Readonly<Record<Name, unknown>>,
): Name[] {
  return names.filter((name) => !isDeepStrictEqual(current[name], former[name]))
}
