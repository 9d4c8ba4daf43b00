import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { schemaOf } from '../server/http/openapi-schema.ts'
import { proceduresOf } from '../server/http/procedures.ts'
import { appRouter } from '../server/router.ts'
import { refusals } from '../shared/errors.ts'

/** The router's type: the inputs and outputs of all procedures in serialized form, and the refusals. */
export async function routerTypes(): Promise<string> {
  const routers: Record<string, JSONSchema & { required: string[] }> = {}
  const members: Record<string, string[]> = {}
  for (const { name, isQuery, meta, inputs, output } of proceduresOf(appRouter)) {
    // Documents and pictures are served over REST only.
    if (meta.bodyType || meta.responseType) continue
    const [router = '', call = ''] = name.split('.')
    if (!output) throw new TypeError(`${name} declares no output.`)
    const input = inputs.map((schema) => readable(schemaOf(schema, 'input')))
    const properties = {
      ...(input.length > 0 && { input: input.length === 1 ? input[0] : { allOf: input } }),
      output: readable(schemaOf(output, 'output')),
    }
    const required = Object.keys(properties)
    const described = (routers[router] ??= {
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    })
    described.properties = {
      ...described.properties,
      [call]: { type: 'object', properties, required, additionalProperties: false } as JSONSchema,
    }
    described.required.push(call)
    const place = `Calls['${router}']['${call}']`
    const isOptional = inputs.every((schema) => schema.safeParse(undefined).success)
    const taken = input.length === 0 ? 'void' : `${place}['input']${isOptional ? ' | undefined' : ''}`
    const kind = isQuery ? 'TRPCQueryProcedure' : 'TRPCMutationProcedure'
    members[router] = [
      ...(members[router] ?? []),
      `    ${call}: ${kind}<{ input: ${taken}; output: ${place}['output']; meta: unknown }>`,
    ]
  }
  const calls: JSONSchema = {
    type: 'object',
    properties: routers,
    required: Object.keys(routers),
    additionalProperties: false,
  }
  const text = await compile(calls, 'Calls', { bannerComment: '', format: false, additionalProperties: false })
  const reasons = Object.keys(refusals).map((key) => `  | '${key}'`)
  return `import type { TRPCBuiltRouter, TRPCDefaultErrorShape, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server'

${text}
/** The codes of refusals. */
export type RefusalCode =
${reasons.join('\n')}

type Refused = TRPCDefaultErrorShape['data'] & {
  /** The code of the refusal. */
  reason: RefusalCode
  /** Which fields were refused, where the input was. */
  issues?: unknown
}
type Root = { ctx: object; meta: object; errorShape: TRPCDefaultErrorShape & { data: Refused }; transformer: false }

/** All calls of Foyer, by router. */
export type AppRouter = TRPCBuiltRouter<Root, {
${Object.entries(members)
  .map(([router, lines]) => `  ${router}: {\n${lines.join('\n')}\n  }`)
  .join('\n')}
}>
`
}

/** Titles would become names of interfaces, and the generator does not support `not`. */
function readable({ title: _title, ...schema }: Record<string, unknown>): JSONSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => (value?.not ? { tsType: 'undefined' } : value))
}
