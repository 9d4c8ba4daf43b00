import { z } from 'zod'

type Json = Record<string, unknown>

/** The JSON Schema of a zod schema. Dates are serialized as text (RFC 3339). */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { type } = zodSchema._zod.def
      if (type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
      if (type === 'undefined') Object.assign(jsonSchema, { not: {} })
    },
  })
  return rest
}
