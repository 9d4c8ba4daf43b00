import { refusalContent, refusalResponses } from './refusal-responses.ts'

/** An OpenAPI operation with its method and path. */
export type Operation = { method: 'get' | 'post'; path: string } & Record<string, unknown>

const text = { type: 'string' }
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const query = (name: string, isRequired = false) => ({ name, in: 'query', required: isRequired, schema: text })
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text })
const health = {
  type: 'object',
  required: ['status'],
  properties: {
    status: { type: 'string', enum: ['ok', 'degraded', 'unavailable', 'draining'] },
    version: text,
    commit: { type: ['string', 'null'] },
    database: { type: 'string', enum: ['ok', 'unavailable'] },
    migrations: { type: 'string', enum: ['ok', 'missing'] },
    outbox: {
      type: 'object',
      properties: {
        status: { type: 'string', enum: ['ok', 'delayed'] },
        waiting: { type: 'integer' },
        oldestSeconds: { type: 'integer' },
      },
    },
    jobs: { type: 'string', enum: ['ok', 'stalled'] },
  },
}
const redirect = { description: 'Redirect to the page of the result', headers: { Location: { schema: text } } }

/** Operations that are not procedures: links in emails, files, and endpoints that other servers call. */
export function otherOperations(basePath: string): Operation[] {
  return [
    ...serverOperations(basePath),
    ...linkOperations(basePath),
    ...fileAndWebhookOperations,
    ...forwardAuthOperations,
  ]
}

function serverOperations(basePath: string): Operation[] {
  return [
    {
      method: 'get',
      path: `${basePath}/ok`,
      operationId: 'ok',
      tags: ['server'],
      summary: 'Whether the server runs',
      responses: {
        200: { description: 'Success', ...json({ type: 'object', properties: { ok: { type: 'boolean' } } }) },
      },
    },
    {
      method: 'get',
      path: `${basePath}/error`,
      operationId: 'error',
      tags: ['server'],
      summary: 'Page that shows the code of a failed sign-in',
      parameters: [query('error')],
      responses: { 200: { description: 'Page', content: { 'text/html': {} } } },
    },
    {
      method: 'get',
      path: `${basePath}/jwks`,
      operationId: 'jwks',
      tags: ['token'],
      summary: 'Public keys of all tokens (RFC 7517)',
      responses: {
        200: {
          description: 'Key set',
          ...json({ type: 'object', properties: { keys: { type: 'array', items: { type: 'object' } } } }),
        },
        304: { description: 'Unchanged' },
      },
    },
    {
      method: 'get',
      path: '/api/docs',
      operationId: 'docs',
      tags: ['server'],
      summary: 'Page that shows this document',
      responses: { 200: { description: 'Page', content: { 'text/html': {} } }, 301: redirect, 302: redirect },
    },
    {
      method: 'get',
      path: '/api/health',
      operationId: 'health',
      tags: ['server'],
      summary: 'Whether requests can be served',
      responses: {
        200: { description: 'Ready', ...json(health) },
        503: { description: 'Not ready', ...json(health) },
      },
    },
    {
      method: 'get',
      path: '/api/openapi.json',
      operationId: 'openapi',
      tags: ['server'],
      summary: 'This document',
      responses: { 200: { description: 'OpenAPI 3.1', ...json({ type: 'object' }) } },
    },
  ]
}

function linkOperations(basePath: string): Operation[] {
  return [
    {
      method: 'get',
      path: `${basePath}/verify-email`,
      operationId: 'verifyEmail',
      tags: ['account'],
      summary: 'Link that verifies an email address',
      parameters: [query('token', true), query('callbackURL')],
      responses: {
        200: {
          description: 'Verified, without a callbackURL',
          ...json({ type: 'object', properties: { status: { type: 'boolean' } } }),
        },
        302: redirect,
        ...refusalResponses([
          'INVALID_QUERY',
          'LINK_INVALID_TOKEN',
          'LINK_TOKEN_EXPIRED',
          'LINK_UNAUTHORIZED',
          'LINK_USER_NOT_FOUND',
          'INVALID_CALLBACKURL',
          'TOO_MANY_REQUESTS',
        ]),
      },
    },
    {
      method: 'get',
      path: `${basePath}/magic-link/verify`,
      operationId: 'followMagicLink',
      tags: ['session'],
      summary: 'Link that signs in',
      parameters: [query('token', true), query('callbackURL')],
      responses: {
        200: {
          description: 'Signed in, without a callbackURL',
          ...json({ type: 'object', properties: { token: text, user: { type: 'object' } } }),
        },
        302: redirect,
        ...refusalResponses(['INVALID_QUERY', 'INVALID_CALLBACKURL', 'EMAIL_NOT_VERIFIED', 'TOO_MANY_REQUESTS']),
      },
    },
    {
      method: 'get',
      path: `${basePath}/reset-password/{token}`,
      operationId: 'openResetLink',
      tags: ['account'],
      summary: 'Link that leads to the page for a new password',
      parameters: [inPath('token'), query('callbackURL', true)],
      responses: {
        302: redirect,
        ...refusalResponses(['CALLBACKURL_IS_REQUIRED', 'INVALID_QUERY', 'INVALID_CALLBACKURL', 'TOO_MANY_REQUESTS']),
      },
    },
    {
      method: 'get',
      path: `${basePath}/delete-user/callback`,
      operationId: 'openDeletionLink',
      tags: ['account'],
      summary: 'Link that deletes an account',
      parameters: [query('token', true), query('callbackURL')],
      responses: {
        200: {
          description: 'Deleted, without a callbackURL',
          ...json({ type: 'object', properties: { success: { type: 'boolean' }, message: text } }),
        },
        302: redirect,
        ...refusalResponses([
          'INVALID_QUERY',
          'INVALID_CALLBACKURL',
          'DELETE_INVALID_TOKEN',
          'FAILED_TO_GET_USER_INFO',
          'TOO_MANY_REQUESTS',
        ]),
      },
    },
    ...(['get', 'post'] as const).map((method) => ({
      method,
      path: `${basePath}/callback/{id}`,
      operationId: `callback.${method}`,
      tags: ['session'],
      summary: 'OAuth callback of a social provider',
      parameters: [inPath('id')],
      responses: { 302: redirect, ...refusalResponses(['TOO_MANY_REQUESTS']) },
    })),
  ]
}

const fileAndWebhookOperations: Operation[] = [
  {
    method: 'post',
    path: '/api/webhooks/payments',
    operationId: 'webhook.payments',
    tags: ['payment'],
    summary: 'Signed events of the payment provider',
    requestBody: { required: true, ...json({ type: 'object' }) },
    responses: {
      200: { description: 'Stored' },
      ...refusalResponses([
        'MISSING_REQUIRED_HEADERS',
        'INVALID_SIGNATURE_HEADERS',
        'MESSAGE_TIMESTAMP_TOO_OLD',
        'MESSAGE_TIMESTAMP_TOO_NEW',
        'NO_MATCHING_SIGNATURE_FOUND',
        'SERVICE_UNAVAILABLE',
      ]),
    },
  },
  {
    method: 'get',
    path: '/api/pictures/{id}',
    operationId: 'picture.read',
    tags: ['picture'],
    summary: 'An uploaded picture',
    parameters: [inPath('id')],
    responses: { 200: { description: 'Picture', content: { 'image/*': {} } }, ...refusalResponses(['NOT_FOUND']) },
  },
]

const forwardAuthOperations: Operation[] = [
  {
    method: 'get',
    path: '/api/forward-auth',
    operationId: 'forwardAuth',
    tags: ['server'],
    summary: 'Asked by a proxy whether a request may pass',
    parameters: [query('organization'), query('role'), query('entitlement'), query('groups'), query('redirect')],
    responses: {
      200: {
        description: 'Access allowed',
        headers: Object.fromEntries(
          ['User', 'Email', 'Name', 'Groups'].map((name) => [`Remote-${name}`, { schema: text }]),
        ),
      },
      302: redirect,
      401: { description: 'Nobody is signed in' },
      403: {
        description: 'May not pass (text), or the host is not trusted (INVALID_ORIGIN)',
        content: { ...refusalContent(['INVALID_ORIGIN']), 'text/plain': { schema: text } },
      },
      ...refusalResponses(['INVALID_QUERY']),
    },
  },
  {
    method: 'get',
    path: '/api/forward-auth/start',
    operationId: 'forwardAuth.start',
    tags: ['server'],
    summary: 'Where a proxy sends a browser without a proxy session',
    parameters: [query('to', true), query('challenge', true)],
    responses: {
      302: redirect,
      ...refusalResponses(['INVALID_QUERY', 'INVALID_ORIGIN', 'TOO_MANY_REQUESTS']),
    },
  },
  {
    method: 'get',
    path: '/.foyer/callback',
    operationId: 'forwardAuth.callback',
    tags: ['server'],
    summary: 'On the host of a protected application: exchanges a code for its proxy session',
    parameters: [query('code', true)],
    responses: {
      302: redirect,
      ...refusalResponses(['INVALID_CODE', 'INVALID_ORIGIN', 'TOO_MANY_REQUESTS']),
    },
  },
]
