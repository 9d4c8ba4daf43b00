// A Node back end behind Foyer: verifies the token that its page sends, without a request to Foyer. `npm install jose`
import { createServer } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const issuer = process.env.FOYER_URL ?? 'http://localhost:3000'
// Add your URL to Foyer's TOKEN_AUDIENCES. Without it, the audience is Foyer's own URL.
const audience = process.env.AUDIENCE ?? issuer
const keys = createRemoteJWKSet(new URL('/api/auth/jwks', issuer))

createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json')
  try {
    const [, token = ''] = (request.headers.authorization ?? '').split(' ')
    const { payload } = await jwtVerify(token, keys, { issuer, audience, algorithms: ['ES256'], typ: 'JWT' })
    response.end(
      JSON.stringify({ user: payload.sub, organization: payload.org?.slug ?? null, role: payload.org?.role ?? null }),
    )
  } catch {
    response.statusCode = 401
    response.end('{"code":"UNAUTHORIZED"}')
  }
}).listen(Number(process.env.PORT ?? 5000), '127.0.0.1')
