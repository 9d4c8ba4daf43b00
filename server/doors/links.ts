import { Router, urlencoded, type Request, type Response } from 'express'
import type { ZodType } from 'zod'
import { linkErrors } from '../../shared/errors.ts'
import { withQuery } from '../../shared/redirect.ts'
import { DeleteLink, deleteLink, ResetLink, resetLink, VerifyEmail, verifyEmail } from '../account/links.ts'
import { createContext, type App, type Context } from '../context.ts'
import { LinkError, refuse } from '../foundation/refusal.ts'
import { refuseForeignTargets, refuseTooMany, report, toRefusal } from '../procedure.ts'
import { formAsQuery, socialCallback } from '../session/links.ts'
import { answerJson, answerRefusal } from './gates.ts'

/**
 * A navigation: what its query must be, and what it does. It answers where to go, or what is said in JSON where no
 * callbackURL leads on.
 */
type Link<Query extends { callbackURL?: string | undefined }> = {
  query: ZodType<Query>
  follow: (ctx: Context, query: Query) => Promise<unknown>
}

/** GET links from mails: they end in a redirect, and their failures travel in its query (contract 7.3). */
export function linkDoor(app: App): Router {
  const door = Router({ caseSensitive: true })
  door.get('/verify-email', followOf(app, { query: VerifyEmail, follow: verifyEmail }))
  door.get('/reset-password/:token', followOf(app, { query: ResetLink, follow: resetLink }))
  door.get('/delete-user/callback', followOf(app, { query: DeleteLink, follow: deleteLink }))
  door.get('/callback/:id', arriveOf(app, socialCallback))
  door.post(
    '/callback/:id',
    form,
    arriveOf(app, async (ctx, id, _query, body) => formAsQuery(ctx, id, body)),
  )
  return door
}

/** Only Apple posts a form, from its own origin; what protects it is the state (W8). */
const form = urlencoded({ extended: false, limit: '20kb', inflate: false, parameterLimit: 20 })

type Arrive = (ctx: Context, id: string, query: unknown, body: unknown) => Promise<string>

/** The way back from a provider: it always leads on to a page. */
function arriveOf(app: App, arrive: Arrive) {
  return async (request: Request, response: Response): Promise<void> => {
    const ctx = createContext(app, request, response)
    response.setHeader('Cache-Control', 'no-store')
    try {
      await refuseTooMany(ctx, '/callback')
      redirect(response, await arrive(ctx, String(request.params['id']), request.query, request.body))
    } catch (error) {
      const refusal = toRefusal(error, 'query')
      report(ctx, refusal, '/callback')
      answerRefusal(response, refusal)
    }
  }
}

function followOf<Query extends { callbackURL?: string | undefined }>(app: App, link: Link<Query>) {
  return async (request: Request, response: Response): Promise<void> => {
    const ctx = createContext(app, request, response)
    const path = request.route.path
    response.setHeader('Cache-Control', 'no-store')
    try {
      await refuseTooMany(ctx, path)
      refuseForeignTargets(ctx, request.query)
      const query = link.query.safeParse({ ...request.query, ...request.params })
      if (!query.success) refuse('INVALID_QUERY')
      const { callbackURL } = query.data
      try {
        const answer = await link.follow(ctx, query.data)
        if (typeof answer === 'string') redirect(response, answer)
        else if (callbackURL) redirect(response, callbackURL)
        else answerJson(response, JSON.stringify(answer))
      } catch (error) {
        if (!(error instanceof LinkError)) throw error
        if (!callbackURL) refuse(linkErrors[error.code])
        ctx.log.info({ path, reason: error.code, requestId: ctx.requestId, ipAddress: ctx.ipAddress }, 'link refused')
        redirect(response, withQuery(callbackURL, { error: error.code }))
      }
    } catch (error) {
      const refusal = toRefusal(error, 'query')
      report(ctx, refusal, path)
      answerRefusal(response, refusal)
    }
  }
}

/** To the text that was checked, letter by letter: Express's own redirect would encode it anew. */
function redirect(response: Response, target: string): void {
  response.statusCode = 302
  response.setHeader('Location', target)
  response.end()
}
