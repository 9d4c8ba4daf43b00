import { callTRPCProcedure, type AnyTRPCProcedure } from '@trpc/server'
import { Router, type Request, type Response } from 'express'
import { createContext, type App } from '../context.ts'
import { recordDenial, refuseTooMany, report, toRefusal, type Meta } from '../procedure.ts'
import { appRouter } from '../router.ts'
import { answerJson, answerRefusal, readBody } from './gates.ts'

/**
 * Every procedure with a REST path, as an Express route. tRPC's own HTTP adapter costs 0.4 to 2 ms a call (speed.md), so
 * this door calls the procedure directly. `prefix` picks those below AUTH_BASE_PATH ('') or below /api ('/api').
 */
export function restDoor(app: App, prefix: '' | '/api'): Router {
  const door = Router({ caseSensitive: true })
  for (const [path, procedure] of Object.entries(appRouter._def.procedures)) {
    if (!isProcedure(procedure)) continue
    const meta: Meta = procedure._def.meta ?? {}
    const [method, route = ''] = meta.rest?.split(' ') ?? []
    if (method === undefined || route.startsWith('/api/') !== (prefix === '/api')) continue
    const call = callOf(app, path, meta)
    if (method === 'GET') door.get(route.slice(prefix.length), call)
    else door.post(route.slice(prefix.length), readBody, call)
  }
  return door
}

function callOf(app: App, path: string, meta: Meta) {
  return async (request: Request, response: Response): Promise<void> => {
    const isGet = request.method === 'GET'
    const type = isGet ? 'query' : 'mutation'
    const ctx = createContext(app, request, response)
    response.setHeader('Cache-Control', 'no-store')
    try {
      if (meta.verbatim) {
        await refuseTooMany(ctx, path)
        answerJson(response, await meta.verbatim(ctx, hasQuery(request) ? request.query : {}))
        return
      }
      if (!isGet && hasQuery(request)) ctx.queryTarget = request.query['callbackURL']
      const input: unknown = isGet ? (hasQuery(request) ? request.query : undefined) : bodyOf(request, meta)
      const getRawInput = async () => input
      const result = await callTRPCProcedure({
        router: appRouter,
        path,
        ctx,
        getRawInput,
        type,
        signal: undefined,
        batchIndex: 0,
      })
      answerJson(response, JSON.stringify(result ?? null))
    } catch (error) {
      const refusal = toRefusal(error, type)
      // A procedure has reported its refusals itself.
      if (meta.verbatim) {
        report(ctx, refusal, path)
        await recordDenial(ctx, refusal, path)
      }
      answerRefusal(response, refusal)
    }
  }
}

/** The body, and the few fields that may stand in the query instead. */
function bodyOf(request: Request, { queryFields = [] }: Meta): unknown {
  const fields = queryFields.filter((field) => request.query[field] !== undefined)
  if (fields.length === 0 || typeof request.body !== 'object') return request.body
  return { ...Object.fromEntries(fields.map((field) => [field, request.query[field]])), ...request.body }
}

/** tRPC types the list as nested by room; at run time it is flat, `room.name` by `room.name`. */
function isProcedure(value: unknown): value is AnyTRPCProcedure {
  return typeof value === 'function' && '_def' in value
}

function hasQuery(request: Request): boolean {
  return request.url.includes('?')
}
