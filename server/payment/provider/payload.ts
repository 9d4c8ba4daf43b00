import { isRecord } from '../../foundation/records.ts'

export function numberOf(payload: unknown, name: string): number | null {
  const value = isRecord(payload) ? payload[name] : undefined
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function textOf(payload: unknown, name: string): string | null {
  const value = isRecord(payload) ? payload[name] : undefined
  return typeof value === 'string' ? value : null
}

export function httpsOf(payload: unknown, name: string): string | null {
  const text = textOf(payload, name)
  return text?.startsWith('https://') ? text : null
}
