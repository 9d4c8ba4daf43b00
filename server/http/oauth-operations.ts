import type { Operation } from './non-procedure-operations.ts'

const text = { type: 'string' }
const number = { type: 'integer' }
const list = { type: 'array', items: text }
const object = (properties: Record<string, object>, required: string[] = []) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})
const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/**
 * The parameters of an authorization request (RFC 6749, OpenID Connect Core, RFC 7636, RFC 8707), and `organization`.
 */
const authorization = {
  client_id: text,
  response_type: { type: 'string', const: 'code' },
  redirect_uri: text,
  scope: { type: 'string', description: 'Of openid, profile, email, organization, offline_access' },
  state: text,
  nonce: text,
  code_challenge: text,
  code_challenge_method: { type: 'string', const: 'S256' },
  prompt: { type: 'string', description: 'none, login or consent' },
  max_age: { type: 'integer', description: 'Seconds since the user signed in' },
  acr_values: { type: 'string', description: 'aal1 or aal2' },
  login_hint: text,
  ui_locales: text,
  resource: { type: 'string', description: 'The audience of the access token' },
  organization: {
    type: 'string',
    description: 'Id of the organization to work in; refused to users who are not members',
  },
}

/** How a client authenticates, besides HTTP Basic. A public client sends its id alone. */
const client = { client_id: text, client_secret: text }

const form = (properties: Record<string, object>, required: string[] = []) => ({
  requestBody: {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema: object(properties, required) } },
  },
})

const error = json(object({ error: text, error_description: text }, ['error']))
const refused = {
  400: { description: 'The request was refused (RFC 6749, 5.2)', ...error },
  401: { description: 'The client, or the token, is unknown', ...error },
}

const ofClients = [{ client: [] }, {}]
const url = { type: 'string', format: 'uri' }
const flag = { type: 'boolean' }
const metadata = {
  200: {
    description: 'Metadata. Further fields are those of the specifications.',
    ...json(
      object(
        {
          issuer: url,
          authorization_endpoint: url,
          token_endpoint: url,
          userinfo_endpoint: url,
          jwks_uri: url,
          introspection_endpoint: url,
          revocation_endpoint: url,
          pushed_authorization_request_endpoint: url,
          device_authorization_endpoint: url,
          end_session_endpoint: url,
          scopes_supported: list,
          claims_supported: list,
          acr_values_supported: list,
          response_types_supported: list,
          response_modes_supported: list,
          grant_types_supported: list,
          subject_types_supported: list,
          code_challenge_methods_supported: list,
          token_endpoint_auth_methods_supported: list,
          id_token_signing_alg_values_supported: list,
          ui_locales_supported: list,
          authorization_response_iss_parameter_supported: flag,
          backchannel_logout_supported: flag,
          backchannel_logout_session_supported: flag,
        },
        ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'],
      ),
    ),
  },
}

/** The endpoints of the OpenID issuer. Its metadata states which features it supports. */
export function oauthOperations(): Operation[] {
  const operations: Operation[] = [
    {
      method: 'get',
      path: '/.well-known/openid-configuration',
      operationId: 'oauth.discovery',
      summary: 'Metadata of the issuer (OpenID Connect Discovery)',
      responses: metadata,
    },
    {
      method: 'get',
      path: '/.well-known/oauth-authorization-server',
      operationId: 'oauth.metadata',
      summary: 'Metadata of the issuer (RFC 8414)',
      responses: metadata,
    },
    {
      method: 'get',
      path: '/oauth/jwks',
      operationId: 'oauth.jwks',
      summary: 'Public keys of all tokens (RFC 7517)',
      responses: {
        200: { description: 'Key set', ...json(object({ keys: { type: 'array', items: { type: 'object' } } })) },
        304: { description: 'Unchanged' },
      },
    },
    {
      method: 'get',
      path: '/oauth/authorize',
      operationId: 'oauth.authorize',
      summary: 'Authorization endpoint (RFC 6749, OpenID Connect Core)',
      parameters: Object.entries({ ...authorization, request_uri: text }).map(([name, schema]) => ({
        name,
        in: 'query',
        required: name === 'client_id',
        schema,
      })),
      responses: {
        302: { description: 'Back to the client, with a code or an error' },
        303: { description: 'To the sign-in or consent' },
        400: { description: 'Page: the client or its address is unknown', content: { 'text/html': {} } },
      },
    },
    {
      method: 'post',
      path: '/oauth/par',
      operationId: 'oauth.par',
      summary: 'Push an authorization request (RFC 9126)',
      security: ofClients,
      ...form({ ...authorization, ...client }, ['response_type']),
      responses: {
        201: { description: 'Stored', ...json(object({ request_uri: text, expires_in: number })) },
        ...refused,
      },
    },
    {
      method: 'post',
      path: '/oauth/token',
      operationId: 'oauth.token',
      summary: 'Token endpoint: authorization code, refresh token, device code, client credentials',
      security: ofClients,
      ...form(
        {
          grant_type: {
            type: 'string',
            enum: [
              'authorization_code',
              'refresh_token',
              'client_credentials',
              'urn:ietf:params:oauth:grant-type:device_code',
            ],
          },
          code: text,
          redirect_uri: text,
          code_verifier: text,
          refresh_token: text,
          device_code: text,
          scope: text,
          resource: text,
          ...client,
        },
        ['grant_type'],
      ),
      responses: {
        200: {
          description: 'Tokens',
          ...json(
            object(
              {
                access_token: text,
                token_type: text,
                expires_in: number,
                id_token: text,
                refresh_token: text,
                scope: text,
              },
              ['access_token', 'token_type', 'expires_in'],
            ),
          ),
        },
        ...refused,
      },
    },
    {
      method: 'post',
      path: '/oauth/device',
      operationId: 'oauth.device',
      summary: 'Start device authorization (RFC 8628)',
      security: ofClients,
      ...form({ scope: text, resource: text, ...client }),
      responses: {
        200: {
          description: 'The code to show',
          ...json(
            object({
              device_code: text,
              user_code: text,
              verification_uri: text,
              verification_uri_complete: text,
              expires_in: number,
              interval: number,
            }),
          ),
        },
        ...refused,
      },
    },
    {
      method: 'get',
      path: '/oauth/userinfo',
      operationId: 'oauth.userinfo',
      summary: 'Claims about the user of an access token (OpenID Connect Core, 5.3)',
      security: [{ bearer: [] }],
      responses: {
        200: {
          description: 'Claims',
          ...json(
            object({ sub: text, sid: text, name: text, email: text, email_verified: { type: 'boolean' } }, ['sub']),
          ),
        },
        ...refused,
      },
    },
    {
      method: 'post',
      path: '/oauth/introspect',
      operationId: 'oauth.introspect',
      summary: 'Whether a token is valid now (RFC 7662)',
      security: ofClients,
      ...form({ token: text, token_type_hint: text, ...client }, ['token']),
      responses: {
        200: {
          description: 'State of the token',
          ...json(
            object(
              {
                active: { type: 'boolean' },
                sub: text,
                sid: text,
                client_id: text,
                scope: text,
                iss: text,
                iat: number,
                exp: number,
                aud: { anyOf: [text, list] },
              },
              ['active'],
            ),
          ),
        },
        ...refused,
      },
    },
    {
      method: 'post',
      path: '/oauth/revoke',
      operationId: 'oauth.revoke',
      summary: 'Revoke a token (RFC 7009)',
      security: ofClients,
      ...form({ token: text, token_type_hint: text, ...client }, ['token']),
      responses: { 200: { description: 'Ended, or not known' }, ...refused },
    },
    {
      method: 'get',
      path: '/oauth/end-session',
      operationId: 'oauth.endSession',
      summary: 'End-session endpoint (OpenID Connect RP-Initiated Logout)',
      parameters: ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales'].map((name) => ({
        name,
        in: 'query',
        schema: text,
      })),
      responses: {
        200: { description: 'Confirmation page', content: { 'text/html': {} } },
        302: { description: 'Back to the client, or to the sign-in' },
        303: { description: 'Back to the client' },
        400: { description: 'Page: the client or its address is unknown', content: { 'text/html': {} } },
      },
    },
  ]
  return [...operations, ...operations.flatMap(byPost)].map((operation) => ({ ...operation, tags: ['oauth'] }))
}

/** The endpoints that also take their parameters in the body of a POST. */
const alsoPosts = new Set(['/oauth/authorize', '/oauth/userinfo', '/oauth/end-session'])

function byPost({ parameters, ...operation }: Operation): Operation[] {
  if (operation.method !== 'get' || !alsoPosts.has(operation.path)) return []
  const fields = Array.isArray(parameters) ? parameters.map(({ name, schema }) => [name, schema] as const) : []
  return [
    {
      ...operation,
      method: 'post',
      operationId: `${String(operation['operationId'])}.post`,
      ...(fields.length > 0 && form(Object.fromEntries(fields))),
    },
  ]
}
