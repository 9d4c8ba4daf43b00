import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

// Minimal GitLab stub for OAuth sign-in: consent page, single-use codes with PKCE, tokens and the user endpoint. The
// consent form asks for the email address, so that each test signs in as a different user.
const codes = new Map<string, { email: string; challenge: string; redirectUri: string }>()
const tokens = new Map<string, string>()

const page = (body: string) =>
  `<!doctype html><html lang="en"><title>GitLab stub</title><body><h1>Authorize Foyer</h1>${body}</body></html>`

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const send = (status: number, body: unknown, type = 'application/json') => {
    response.writeHead(status, { 'content-type': type })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  if (url.pathname === '/oauth/authorize') {
    const hidden = ['state', 'redirect_uri', 'code_challenge']
      .map((name) => `<input type="hidden" name="${name}" value="${url.searchParams.get(name) ?? ''}">`)
      .join('')
    send(
      200,
      page(`<form action="/answer">${hidden}<label>Account <input name="email"></label>
      <button name="say" value="yes">Authorize</button><button name="say" value="no">Deny</button></form>`),
      'text/html',
    )
    return
  }
  if (url.pathname === '/answer') {
    const back = new URL(url.searchParams.get('redirect_uri') ?? '')
    back.searchParams.set('state', url.searchParams.get('state') ?? '')
    if (url.searchParams.get('say') === 'no') back.searchParams.set('error', 'access_denied')
    else {
      const code = randomBytes(8).toString('hex')
      const challenge = url.searchParams.get('code_challenge') ?? ''
      codes.set(code, {
        email: url.searchParams.get('email') ?? '',
        challenge,
        redirectUri: `${back.origin}${back.pathname}`,
      })
      back.searchParams.set('code', code)
    }
    response.writeHead(302, { location: back.href })
    response.end()
    return
  }
  if (url.pathname === '/oauth/token') {
    let text = ''
    request.on('data', (part) => (text += part))
    request.on('end', () => {
      const form = new URLSearchParams(text)
      const grant = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const answer = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (!grant || grant.challenge !== answer || grant.redirectUri !== form.get('redirect_uri')) {
        send(400, { error: 'invalid_grant' })
        return
      }
      const token = randomBytes(8).toString('hex')
      tokens.set(token, grant.email)
      send(200, { access_token: token, refresh_token: `${token}-again`, expires_in: 7200, scope: 'read_user' })
    })
    return
  }
  const email = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
  if (url.pathname !== '/api/v4/user') send(200, page(''), 'text/html')
  else if (email === undefined) send(401, { message: '401 Unauthorized' })
  else {
    const id = Number.parseInt(createHash('sha256').update(email).digest('hex').slice(0, 12), 16)
    send(200, {
      id,
      name: 'Grace of GitLab',
      username: 'grace',
      email,
      avatar_url: null,
      state: 'active',
      locked: false,
      confirmed_at: '2020-01-01T00:00:00Z',
    })
  }
}).listen(Number(process.argv[2]), 'localhost')
