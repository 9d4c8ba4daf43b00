import { type Request, Router, urlencoded } from 'express'
import type { ZodType } from 'zod'
import { linkErrors } from '../../shared/errors.ts'
import { withQuery } from '../../shared/redirect.ts'
import { DeletionLink, openDeletionLink } from '../account/open-deletion-link.ts'
import { ResetLink, openResetLink } from '../account/open-reset-link.ts'
import type { App } from '../dependencies.ts'
import { LinkError, refuse } from '../foundation/refusal.ts'
import { enforceRateLimit } from '../procedure/rate-limit.ts'
import { checkRedirectTargets } from '../procedure/redirects.ts'
import type { Context } from '../request/context.ts'
import { formAsQuery, handleCallback } from '../sign-in/handle-callback.ts'
import { followMagicLink, MagicLink } from '../sign-in/sign-in-by-email.ts'
import { VerifyEmail, verifyEmail } from '../sign-in/verify-email.ts'
import { ignoreCredentials } from './middleware/ignore-credentials.ts'
import { type CallResponse, respond } from './respond.ts'

/**
 * A GET link: the schema of its query and its handler, which returns a redirect target, or a JSON response when there
 * is no callbackURL.
 */
type Link<Query extends { callbackURL?: string | undefined }> = {
  query: ZodType<Query>
  follow: (ctx: Context, query: Query) => Promise<unknown>
}

/** The paths of links. All other paths under this router's mount point are calls. */
const isLink = /^\/(?:verify-email\/?$|reset-password\/|magic-link\/verify\/?$|delete-user\/callback\/?$|callback\/)/

/** GET links from emails, and OAuth callbacks. They end in a redirect; errors are sent in its query. */
export function linkRoutes(app: App): Router {
  const routes = Router({ caseSensitive: true })
  // Only the browser's cookie identifies the user who follows a link. No token or API key may change an account with an
  // emailed secret.
  routes.use((request, response, next) => {
    if (isLink.test(request.path)) ignoreCredentials(request, response, next)
    else next()
  })
  routes.get('/verify-email', link(app, '/verify-email', { query: VerifyEmail, follow: verifyEmail }))
  routes.get('/reset-password/:token', link(app, '/reset-password/:token', { query: ResetLink, follow: openResetLink }))
  const magic = { query: MagicLink, follow: followMagicLink }
  routes.get('/magic-link/verify', link(app, '/magic-link/verify', magic))
  const deletion = { query: DeletionLink, follow: openDeletionLink }
  routes.get('/delete-user/callback', link(app, '/delete-user/callback', deletion))
  routes.get(
    '/callback/:id',
    callback(app, (ctx, id, request) => handleCallback(ctx, id, request.query)),
  )
  routes.post(
    '/callback/:id',
    form,
    callback(app, async (ctx, id, request) => formAsQuery(ctx, id, request.body)),
  )
  return routes
}

/** Only Apple posts a form, from its own origin. The OAuth state protects it. */
const form = urlencoded({ extended: false, limit: '20kb', inflate: false, parameterLimit: 20 })

/** The OAuth callback of a provider. It always redirects to a page. */
function callback(app: App, follow: (ctx: Context, id: string, request: Request) => Promise<string>) {
  return respond(app, '/callback', async (ctx, request) => {
    await enforceRateLimit(ctx, '/callback')
    return { redirect: await follow(ctx, String(request.params['id']), request) }
  })
}

function link<Query extends { callbackURL?: string | undefined }>(
  app: App,
  path: string,
  { query: schema, follow }: Link<Query>,
) {
  return respond(app, path, async (ctx, request): Promise<CallResponse> => {
    await enforceRateLimit(ctx, path)
    checkRedirectTargets(ctx, request.query)
    const query = schema.safeParse({ ...request.query, ...request.params })
    if (!query.success) refuse('INVALID_QUERY')
    const { callbackURL } = query.data
    try {
      const answer = await follow(ctx, query.data)
      if (typeof answer === 'string') return { redirect: answer }
      return callbackURL ? { redirect: callbackURL } : { json: JSON.stringify(answer) }
    } catch (error) {
      if (!(error instanceof LinkError)) throw error
      if (!callbackURL) refuse(linkErrors[error.code])
      ctx.log.info({ path, reason: error.code, requestId: ctx.requestId, ipAddress: ctx.ipAddress }, 'link refused')
      return { redirect: withQuery(callbackURL, { error: error.code }) }
    }
  })
}
