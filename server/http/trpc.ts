import { callTRPCProcedure, getTRPCErrorFromUnknown, getTRPCErrorShape, transformTRPCResponse } from '@trpc/server'
import { createExpressMiddleware } from '@trpc/server/adapters/express'
import { getHTTPStatusCode } from '@trpc/server/http'
import compression from 'compression'
import { type NextFunction, type Request, type Response, Router } from 'express'
import type { App } from '../dependencies.ts'
import { isRecord } from '../foundation/records.ts'
import { Refusal } from '../foundation/refusal.ts'
import { JsonText } from '../procedure/json-text.ts'
import { type Context, createContext } from '../request/context.ts'
import { appRouter } from '../router.ts'
import { isDecodable } from './decodable.ts'
import { readBody } from './middleware/body.ts'
import { proceduresOf } from './procedures.ts'
import { sendCompressedJson, sendRefusal, mayCompress, minCompressedCharacters } from './send.ts'

/** Maximum number of calls in a batch (SEC-82). */
const maxBatch = 20

const { _config: config } = appRouter._def
/** Documents and pictures are not JSON: their calls are answered over REST only. */
const restOnlyProcedures = new Set(
  proceduresOf(appRouter).flatMap(({ name, meta }) => (meta.bodyType || meta.responseType ? [name] : [])),
)
/** The kind of each procedure by path. There are no subscriptions; the adapter would serve them. */
const isQueryByPath: ReadonlyMap<string, boolean> = new Map(
  proceduresOf(appRouter).map(({ name, isQuery }) => [name, isQuery]),
)

/**
 * Serves the procedures over tRPC, for the client's typed hooks. JSON calls, alone or in a batch, are answered here.
 * Anything else, including malformed requests, is passed to tRPC's own adapter, which creates a fetch Request and a
 * stream for each call and costs three times as much (bench/bench.ts).
 */
export function trpcRoutes(app: App): Router {
  const routes = Router()
  routes.use(
    readBody,
    (request, response, next) => {
      response.setHeader('Cache-Control', 'no-store')
      // Streamed responses are sent before a procedure can set its cookie, so clients may not request them.
      delete request.headers['trpc-accept']
      if (request.headers.accept?.includes('jsonl')) delete request.headers.accept
      // A call without input has no body, and tRPC would parse the empty string as invalid JSON.
      if (request.method === 'POST') request.body ??= {}
      // tRPC decodes the path without validation: a malformed percent-encoding would cause a 500. The adapter would
      // read only what follows the last slash.
      const isName = isDecodable(request.path) && request.path.lastIndexOf('/') === 0
      const isServed = isName && !pathsOf(request).some((path) => restOnlyProcedures.has(path))
      if (isServed) next()
      else sendRefusal(response, new Refusal('NOT_FOUND'))
    },
    respondToCalls(app),
    compression({ threshold: minCompressedCharacters, filter: mayCompress }),
    createExpressMiddleware({
      router: appRouter,
      createContext: ({ req, res }) => createContext(app, req, res),
      maxBatchSize: maxBatch,
      // The adapter would otherwise replace the header that was set for cross-origin requests.
      responseMeta: () => ({ headers: new Headers({ vary: 'Origin' }) }),
    }),
  )
  return routes
}

type Call = { path: string; type: 'query' | 'mutation'; input: unknown; batchIndex: number }

/** Answers the calls that `readCalls` understands, exactly as the adapter does. */
function respondToCalls(app: App) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const read = readCalls(request)
    if (!read) return next()
    const { calls, isBatch } = read
    const ctx = createContext(app, request, response)
    const answers = await Promise.all(calls.map((call) => responseOf(ctx, call)))
    const status = getHTTPStatusCode(answers.map(({ envelope }) => envelope))
    response.setHeader('Vary', 'trpc-accept, accept, Origin')
    const texts = answers.map(({ text }) => text)
    await sendCompressedJson(request, response, isBatch ? `[${texts.join(',')}]` : (texts[0] ?? ''), status)
  }
}

/** The names in the path of a request, which may be a batch. */
function pathsOf(request: Request): string[] {
  return decodeURIComponent(request.path.slice(1)).split(',')
}

/** The calls of a JSON request whose procedures are all known. Undefined for any other request. */
function readCalls(request: Request): { calls: Call[]; isBatch: boolean } | undefined {
  const { method, headers, body } = request
  const type = method === 'GET' ? 'query' : method === 'POST' ? 'mutation' : undefined
  const kind = headers['content-type']
  const isJson = kind === undefined ? type === 'query' : kind.startsWith('application/json')
  if (!type || !isJson) return undefined
  const [, search = ''] = /\?(.*)/s.exec(request.url) ?? []
  const query = new URLSearchParams(search)
  const isBatch = query.get('batch') === '1'
  const paths = isBatch ? pathsOf(request) : [decodeURIComponent(request.path.slice(1))]
  const isQuery = type === 'query'
  if (paths.length > maxBatch || !paths.every((name) => isQueryByPath.get(name) === isQuery)) return undefined
  const inputs = type === 'mutation' ? { read: body as unknown } : parseInput(query.get('input') ?? '', isBatch)
  if (!inputs || (isBatch && !isRecord(inputs.read))) return undefined
  const inputAt = (index: number) => (isBatch && isRecord(inputs.read) ? inputs.read[index] : inputs.read)
  return {
    calls: paths.map((name, index) => ({ path: name, type, input: inputAt(index), batchIndex: index })),
    isBatch,
  }
}

/** The input of a query, or of a batch of queries. Undefined if it is not JSON. */
function parseInput(text: string, isBatch: boolean): { read: unknown } | undefined {
  if (text === '') return { read: isBatch ? {} : undefined }
  try {
    return { read: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** The envelope of one answer, and its text. Text that a procedure has already serialized is not parsed again. */
async function responseOf(ctx: Context, { path, type, input, batchIndex }: Call) {
  const getRawInput = async () => input
  const call = { router: appRouter, path, ctx, getRawInput, type, signal: undefined, batchIndex } as const
  try {
    const data: unknown = await callTRPCProcedure(call)
    const envelope = { result: { data } }
    if (data instanceof JsonText) return { envelope, text: `{"result":{"data":${data.text}}}` }
    return { envelope, text: JSON.stringify(transformTRPCResponse(config, envelope)) }
  } catch (cause) {
    const error = getTRPCErrorFromUnknown(cause)
    const envelope = { error: getTRPCErrorShape({ config, ctx, error, input, path, type }) }
    return { envelope, text: JSON.stringify(transformTRPCResponse(config, envelope)) }
  }
}
