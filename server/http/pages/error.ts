import { Router } from 'express'
import { answerJson } from '../respond.ts'
import { answerPage } from './layout.ts'

/** The pages below the base path that the specification names (section 2). */
export function basePages(): Router {
  const routes = Router({ caseSensitive: true })
  routes.get('/ok', (_request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    answerJson(response, '{"ok":true}')
  })
  routes.get('/error', (request, response) => {
    // Of what the query says only a code is shown, and only as text (SEC-33).
    const { error } = request.query
    const code = typeof error === 'string' && /^[\w. -]{1,64}$/.test(error) ? error : 'Unknown'
    answerPage(response, {
      title: 'Something went wrong',
      body: `<p>The sign-in could not be finished. The reason is called:</p><p class="code">${code}</p>
        <p><a href="/">Return to Application</a></p>`,
    })
  })
  return routes
}
