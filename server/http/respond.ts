import type { Request, Response } from 'express'
import type { App } from '../dependencies.ts'
import type { PdfDocument } from '../procedure/document.ts'
import { report, toRefusal } from '../procedure/errors.ts'
import { createContext, type Context } from '../request/context.ts'
import { sendCompressedJson, sendPdf, sendRefusal, redirect } from './send.ts'

/** The result of a call: JSON text, a redirect target, or a document. */
export type CallResponse = { json: string } | { redirect: string } | PdfDocument

/** What answers a request, given its context. */
export type Serve = (ctx: Context, request: Request, response: Response) => Promise<void>

/**
 * Wraps every handler of a request, except that of tRPC, whose requests may contain several calls: creates the context,
 * and converts any error into a refusal, which is logged once. Nothing is cached unless `serve` says so. `path`
 * identifies the call in the log.
 */
export function handle(app: App, path: string, serve: Serve) {
  return async (request: Request, response: Response): Promise<void> => {
    const ctx = createContext(app, request, response)
    response.setHeader('Cache-Control', 'no-store')
    try {
      await serve(ctx, request, response)
    } catch (error) {
      const refusal = toRefusal(error, request.method === 'GET' ? 'query' : 'mutation')
      await report(ctx, refusal, path)
      sendRefusal(response, refusal)
    }
  }
}

/** Handles a request for REST paths and links alike: runs the call, and sends its result. */
export function respond(app: App, path: string, call: (ctx: Context, request: Request) => Promise<CallResponse>) {
  return handle(app, path, async (ctx, request, response) => {
    const answer = await call(ctx, request)
    if ('json' in answer) await sendCompressedJson(request, response, answer.json)
    else if ('pdf' in answer) sendPdf(response, answer)
    else redirect(response, answer.redirect)
  })
}
