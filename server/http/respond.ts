import type { Request, Response } from 'express'
import { refusals } from '../../shared/errors.ts'
import type { App } from '../dependencies.ts'
import type { Refusal } from '../foundation/refusal.ts'
import { refusalBody, report, toRefusal } from '../procedure/errors.ts'
import { createContext, type Context } from '../request/context.ts'

/** What a call answers: JSON text, or where the browser is sent. */
export type Answer = { json: string } | { redirect: string }

/**
 * The one way from a request to an answer, for REST paths and links alike: makes the context, calls, and turns whatever is
 * thrown into a refusal that is logged once. `path` names the call in the log.
 */
export function respond(app: App, path: string, call: (ctx: Context, request: Request) => Promise<Answer>) {
  return async (request: Request, response: Response): Promise<void> => {
    const ctx = createContext(app, request, response)
    response.setHeader('Cache-Control', 'no-store')
    try {
      const answer = await call(ctx, request)
      if ('json' in answer) answerJson(response, answer.json)
      else redirect(response, answer.redirect)
    } catch (error) {
      const refusal = toRefusal(error, request.method === 'GET' ? 'query' : 'mutation')
      await report(ctx, refusal, path)
      answerRefusal(response, refusal)
    }
  }
}

/** Answers a refusal as `{ code, message }` with its status. */
export function answerRefusal(response: Response, refusal: Refusal): void {
  response.setHeader('Cache-Control', 'no-store')
  answerJson(response, JSON.stringify(refusalBody(refusal)), refusals[refusal.key].status)
}

/** A finished JSON text as the answer, in one write. */
export function answerJson(response: Response, text: string, status = 200): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.end(text)
}

/** To the text that was checked, letter by letter: Express's own redirect would encode it anew. */
function redirect(response: Response, target: string): void {
  response.statusCode = 302
  response.setHeader('Location', target)
  response.end()
}

/** Is every percent of a path the start of an encoded character (SEC-39)? */
export function isDecodable(path: string): boolean {
  try {
    // The result is used: a bundler may drop a call whose only effect is to throw.
    return decodeURIComponent(path).length > 0
  } catch {
    return false
  }
}
