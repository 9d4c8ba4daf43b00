import { codeOf, messageOf, type RefusalKey, refusals } from '../../shared/errors.ts'

/** Responses of refusals by status: `{ code, message }`, with every code that the call can have. */
export function refusalResponses(keys: readonly RefusalKey[]): Record<string, object> {
  const statuses = [...new Set(keys.map((key) => refusals[key].status))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = [...new Set(keys)].filter((key) => refusals[key].status === status)
      const description = [...new Set(ofStatus.map((key) => messageOf(key)))].join(' · ')
      return [status, { description, content: refusalContent(ofStatus) }]
    }),
  )
}

/** The body of refusals: `{ code, message }`. */
export function refusalContent(keys: readonly RefusalKey[]) {
  const codes = [...new Set(keys.map((key) => codeOf(key)))].toSorted()
  const schema = {
    type: 'object',
    properties: {
      code: { type: 'string', enum: codes },
      message: { type: 'string' },
      issues: { type: 'array', items: { type: 'object' } },
      ...(codes.includes('BANNED_USER') && {
        banReason: { type: ['string', 'null'] },
        banExpires: { type: ['string', 'null'], format: 'date-time' },
      }),
    },
    required: ['code', 'message'],
  }
  return { 'application/json': { schema } }
}
