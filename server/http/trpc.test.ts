import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTRPCClient, httpBatchLink, httpLink, loggerLink, retryLink, splitLink } from '@trpc/client'
import { createExpressMiddleware } from '@trpc/server/adapters/express'
import express from 'express'
import { afterAll, describe, expect, it } from 'vitest'
import { createContext } from '../request/context.ts'
import { type AppRouter, appRouter } from '../router.ts'
import { cookieHeader } from '../testing/browser.ts'
import { createOrganizationOwner } from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'

const testApp = await createTestApp()
const owner = await createOrganizationOwner(testApp)
const cookie = cookieHeader(owner.browser.jar)

/** The same procedures served through tRPC's own adapter. */
const reference = createServer(
  express().use(
    '/api/trpc',
    express.json(),
    (request, _response, next) => {
      if (request.method === 'POST') request.body ??= {}
      next()
    },
    createExpressMiddleware({
      router: appRouter,
      createContext: ({ req, res }) => createContext(testApp.app, req, res),
      maxBatchSize: 20,
    }),
  ),
).listen(0, '127.0.0.1')
await once(reference, 'listening')
const referenceOrigin = `http://127.0.0.1:${(reference.address() as AddressInfo).port}`
afterAll(() => reference.close())

const encoded = (input: unknown) => encodeURIComponent(JSON.stringify(input))
const organizationId = owner.organization.id
const twenty = Array.from({ length: 20 }, () => 'session.get').join(',')

type Sent = { path: string; body?: string; type?: string; method?: string }

const requests: [string, Sent][] = [
  ['a query', { path: 'session.get' }],
  ['a query with an input', { path: `organization.getFull?input=${encoded({ organizationId })}` }],
  ['a list that PostgreSQL has written', { path: 'organization.list' }],
  ['a batch', { path: `session.get,organization.list?batch=1&input=${encoded({ 0: {}, 1: null })}` }],
  ['a batch without inputs', { path: 'session.get,organization.list?batch=1' }],
  ['a batch of one', { path: 'organization.list?batch=1&input=%7B%7D' }],
  [
    'a batch of which one is refused',
    { path: `session.get,organization.getFull?batch=1&input=${encoded({ 1: { organizationId: 'x' } })}` },
  ],
  ['a batch of twenty', { path: `${twenty}?batch=1` }],
  ['a batch of twenty-one', { path: `${twenty},session.get?batch=1` }],
  ['a batch that is no object', { path: 'session.get?batch=1&input=%5B1%5D' }],
  ['a batch of text', { path: 'session.get?batch=1&input=%22x%22' }],
  ['an unknown procedure', { path: 'session.unknown' }],
  ['an unknown one in a batch', { path: 'session.get,session.unknown?batch=1' }],
  ['names of objects', { path: 'constructor,__proto__,toString?batch=1' }],
  ['a router', { path: 'session' }],
  ['nothing', { path: '' }],
  ['an encoded comma', { path: 'session.get%2Corganization.list?batch=1' }],
  ['an input that is no JSON', { path: 'organization.getFull?input=%7B' }],
  ['an input that is refused', { path: `organization.getFull?input=${encoded({ organizationId: 7 })}` }],
  ['two inputs', { path: `organization.getFull?input=${encoded({ organizationId })}&input=%7B` }],
  ['a query by POST', { path: 'session.get', body: '{}' }],
  ['a mutation by GET', { path: 'session.signOut' }],
  ['a mutation', { path: 'organization.checkSlug', body: JSON.stringify({ slug: 'nobody-has-this' }) }],
  [
    'a mutation that is refused',
    { path: 'session.signInEmail', body: JSON.stringify({ email: 'a@example.test', password: 'no' }) },
  ],
  ['a mutation without an input', { path: 'organization.create', body: '' }],
  [
    'mutations in a batch',
    { path: 'organization.create,session.signInEmail?batch=1', body: JSON.stringify({ 0: {}, 1: { email: 1 } }) },
  ],
  ['a batch of mutations that is an array', { path: 'organization.create?batch=1', body: '[1]' }],
  ['a query and a mutation', { path: 'session.get,organization.create?batch=1', body: '{}' }],
  ['another content type', { path: 'session.get', type: 'multipart/form-data; boundary=x' }],
]

describe('the tRPC transport answers like tRPC’s own adapter', () => {
  it.each(requests)('%s', async (_name, { path, body, type, method = body === undefined ? 'GET' : 'POST' }) => {
    const [ours, theirs] = await Promise.all(
      [testApp.origin, referenceOrigin].map(async (origin) => {
        const contentType = type ?? (body === undefined ? undefined : 'application/json')
        const answer = await fetch(`${origin}/api/trpc/${path}`, {
          method,
          headers: { cookie, origin: testApp.origin, ...(contentType && { 'content-type': contentType }) },
          ...(body !== undefined && { body }),
        })
        const text = await answer.text()
        return {
          status: answer.status,
          body: JSON.parse(text) as unknown,
          type: answer.headers.get('content-type')?.split(';')[0],
        }
      }),
    )
    expect(ours).toEqual(theirs)
  })
})

describe('the unmodified client', () => {
  const url = `${testApp.origin}/api/trpc`
  const headers = { cookie, origin: testApp.origin }
  const batch = httpBatchLink<AppRouter>({ url, headers })
  it.each([
    ['httpLink', [httpLink<AppRouter>({ url, headers })]],
    ['httpBatchLink', [batch]],
    [
      'loggerLink, retryLink and splitLink',
      [
        loggerLink<AppRouter>({ enabled: () => false }),
        retryLink<AppRouter>({ retry: () => false }),
        splitLink<AppRouter>({
          condition: ({ type }) => type === 'query',
          true: batch,
          false: httpLink<AppRouter>({ url, headers }),
        }),
      ],
    ],
  ])('calls, in a batch and alone, with %s', async (_name, links) => {
    const client = createTRPCClient<AppRouter>({ links })
    const [session, organizations, refused] = await Promise.all([
      client.session.get.query(),
      client.organization.list.query(),
      client.organization.getFull.query({ organizationId: 'x' }).catch((error: unknown) => error),
    ])
    expect(session?.user.id).toBe(owner.id)
    expect(organizations.map(({ id }) => id)).toEqual([organizationId])
    expect(refused).toMatchObject({ name: 'TRPCClientError', data: { reason: expect.any(String) } })
    await expect(client.session.signInEmail.mutate({ email: 'a@example.test', password: 'no' })).rejects.toMatchObject({
      data: { reason: 'INVALID_EMAIL_OR_PASSWORD', httpStatus: 401 },
    })
    const controller = new AbortController()
    const aborted = client.session.get.query(undefined, { signal: controller.signal })
    controller.abort()
    await expect(aborted).rejects.toThrow(/abort/i)
  })
})
