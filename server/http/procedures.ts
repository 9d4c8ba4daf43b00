import type { AnyTRPCProcedure } from '@trpc/server'
import { z } from 'zod'
import type { Meta } from '../procedure/trpc.ts'
import type { appRouter } from '../router.ts'

/** A procedure with its description: name (`team.create`), inputs, which are merged, and output. */
export type DescribedProcedure = {
  name: string
  isQuery: boolean
  meta: Meta
  inputs: z.ZodType[]
  output: z.ZodType | undefined
}

/** tRPC types the procedures as nested by router. At runtime the object is flat, with keys like `router.name`. */
export function proceduresOf(router: typeof appRouter): DescribedProcedure[] {
  return Object.entries(router._def.procedures).flatMap(([name, procedure]) =>
    isProcedure(procedure) ? [describe(name, procedure)] : [],
  )
}

function describe(name: string, { _def }: AnyTRPCProcedure): DescribedProcedure {
  const meta: Meta = _def.meta ?? {}
  const inputs: unknown[] = 'inputs' in _def && Array.isArray(_def.inputs) ? _def.inputs : []
  const output: unknown = meta.jsonOutput ?? ('output' in _def ? _def.output : undefined)
  return {
    name,
    isQuery: _def.type === 'query',
    meta,
    inputs: inputs.filter((schema) => schema instanceof z.ZodType),
    output: output instanceof z.ZodType ? output : undefined,
  }
}

function isProcedure(value: unknown): value is AnyTRPCProcedure {
  return typeof value === 'function' && '_def' in value
}
