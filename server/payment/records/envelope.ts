import { z } from 'zod'
import { isRecord } from '../../foundation/records.ts'

/** An event as it is stored: without characters that PostgreSQL rejects, with its own time and the id of its object. */
export type Envelope = {
  type: string
  occurredAt: Date
  payload: Record<string, unknown>
  data: Record<string, unknown>
  subjectId: string | null
}

const Outer = z.looseObject({ type: z.string().min(1).max(200), timestamp: z.string().max(64) })

/** Maximum nesting. The provider's own payloads have five levels. */
const maxDepth = 64

/** Parses a body. Undefined unless it is a JSON object with a type and a valid time. */
export function readEnvelope(body: Buffer): Envelope | undefined {
  let parsed: unknown
  try {
    parsed = clean(JSON.parse(body.toString('utf8')), 0)
  } catch {
    return undefined
  }
  const { data: outer } = Outer.safeParse(parsed)
  const occurredAt = new Date(outer?.timestamp ?? '')
  if (!outer || Number.isNaN(occurredAt.getTime()) || Math.abs(occurredAt.getTime()) > 4e12) return undefined
  const data = isRecord(outer['data']) ? outer['data'] : {}
  return { type: outer.type, occurredAt, payload: outer, data, subjectId: subjectOf(outer.type, data) }
}

/** Removes NUL characters and lone surrogates, which PostgreSQL's jsonb rejects. */
function clean(value: unknown, depth: number): unknown {
  if (depth > maxDepth) throw new Error('too deep')
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (Array.isArray(value)) return value.map((one) => clean(one, depth + 1))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key.replaceAll('\0', '').toWellFormed(), clean(one, depth + 1)]),
  )
}

const idNames = [
  ['payment.', 'payment_id'],
  ['refund.', 'refund_id'],
  ['dispute.', 'dispute_id'],
  ['subscription.', 'subscription_id'],
  ['license_key.', 'id'],
] as const

function subjectOf(type: string, data: Record<string, unknown>): string | null {
  const name = idNames.find(([start]) => type.startsWith(start))?.[1]
  const id = name === undefined ? undefined : data[name]
  return typeof id === 'string' ? id.slice(0, 256) : null
}
