import { isRecord } from '../../foundation/records.ts'

// Fields of a provider's payload, which may have any shape.

/** A finite number. Null if the field is missing or of another type. */
export function numberOf(payload: unknown, name: string): number | null {
  const value = isRecord(payload) ? payload[name] : undefined
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** A text. Null if the field is missing or of another type. */
export function textOf(payload: unknown, name: string): string | null {
  const value = isRecord(payload) ? payload[name] : undefined
  return typeof value === 'string' ? value : null
}

/** An https URL. Null for any other text, which must not become a link. */
export function httpsOf(payload: unknown, name: string): string | null {
  const text = textOf(payload, name)
  return text?.startsWith('https://') ? text : null
}
