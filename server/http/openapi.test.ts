import { Validator } from '@seriousme/openapi-schema-validator'
import createClient from 'openapi-fetch'
import { describe, expect, it } from 'vitest'
import type { UntypedJson } from '../testing/browser.ts'
import { createOrganizationOwner } from '../testing/organizations.ts'
import { calls } from '../testing/rest-contract.ts'
import { createTestApp } from '../testing/test-app.ts'

const testApp = await createTestApp()
const read = async (): Promise<UntypedJson> => (await testApp.browser().request('/api/openapi.json')).body

describe('GET /api/openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(await read())
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  it('has every call of the REST contract, and names each operation once', async () => {
    const { paths, servers } = await read()
    expect(servers).toEqual([{ url: testApp.origin }])
    const described = Object.entries<Record<string, UntypedJson>>(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        call: `${method.toUpperCase()} ${path}`,
        ...operation,
      })),
    )
    const known = new Set(described.map(({ call }) => call))
    const wanted = calls.map((call) =>
      call
        .replace(' ', ' /api/auth')
        .replace('reset-password/token', 'reset-password/{token}')
        .replace(/callback\/\w+/, 'callback/{id}'),
    )
    expect(wanted.filter((call) => !known.has(call) && !call.includes('delete-user/{id}'))).toEqual([])
    const ids = described.map(({ operationId }) => String(operationId))
    expect(ids.length).toBe(new Set(ids).size)
  })

  it('says which calls programs can make: the others refuse their keys', async () => {
    const owner = await createOrganizationOwner(testApp)
    const { key } = (await owner.browser.post('/api-key/create', { name: 'program' })).body
    const { paths } = await read()
    const closed = Object.entries<Record<string, UntypedJson>>(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { security = [] }]) =>
        security.length === 1 && security[0].session ? [{ path: path.replace(/\{\w+\}/g, 'x'), method }] : [],
      ),
    )
    expect(closed.length).toBeGreaterThan(30)
    for (const { path, method } of closed) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const { status, body } = await testApp
        .browser()
        .request(path, method === 'post' ? { method: 'POST', headers, body: '{}' } : { headers })
      expect([method, path, status, body?.code]).toEqual([method, path, 403, 'INSUFFICIENT_SCOPE'])
    }
  })

  it('describes the running server: every path answers with a documented status', async () => {
    const { paths } = await read()
    const owner = await createOrganizationOwner(testApp)
    for (const [path, operations] of Object.entries<Record<string, UntypedJson>>(paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const url = path.replace('{token}', 'x').replace('{id}', 'github')
        for (const browser of [testApp.browser(), owner.browser.copy()]) {
          const { status, body } = await browser.request(url, {
            method: method.toUpperCase(),
            ...(method === 'post' && { body: '{}', headers: { 'content-type': 'application/json' } }),
          })
          const described = operation.responses[status]
          expect([method, path, status, described !== undefined, String(body?.code ?? '')]).toEqual([
            method,
            path,
            status,
            true,
            expect.any(String),
          ])
          const codes = described.content?.['application/json']?.schema?.properties?.code?.enum
          const isDescribed = codes === undefined || status < 400 || codes.includes(body?.code)
          expect([path, body?.code, isDescribed]).toEqual([path, body?.code, true])
        }
      }
    }
  })

  it('has every endpoint that the issuer names, and describes each group of operations', async () => {
    const { paths, tags } = await read()
    const { body } = await testApp.browser().request('/.well-known/openid-configuration')
    const endpoints = Object.entries<string>(body).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name))
    expect(endpoints.length).toBeGreaterThan(7)
    for (const [, url] of endpoints) expect(Object.keys(paths)).toContain(new URL(url).pathname)
    for (const { name, description } of tags) expect(description).not.toBe(name)
  })

  it('a client generated from it signs in and lists', async () => {
    const owner = await createOrganizationOwner(testApp)
    const client: UntypedJson = createClient({ baseUrl: testApp.origin, headers: { origin: testApp.origin } })
    const { data, response } = await client.POST('/api/auth/sign-in/email', {
      body: { email: owner.email, password: owner.password },
    })
    expect(data.user.email).toBe(owner.email)
    const cookie = response.headers
      .getSetCookie()
      .map((line: string) => line.split(';')[0])
      .join('; ')
    const { data: organizations } = await client.GET('/api/auth/organization/list', { headers: { cookie } })
    expect(organizations).toMatchObject([{ id: owner.organization.id }])
  })
})

describe('GET /api/docs', () => {
  it('is a page without inline scripts, with files of this server', async () => {
    const { status, text, headers } = await testApp.browser().request('/api/docs')
    expect([status, headers.get('content-security-policy')?.includes("script-src 'self'")]).toEqual([200, true])
    expect(text).not.toMatch(/<script>|style="/)
    for (const [, path = ''] of text.matchAll(/(?:src|href)="(\/api\/docs\/[^"]+)"/g)) {
      expect([path, (await testApp.browser().request(path)).status]).toEqual([path, 200])
    }
    expect((await testApp.browser().request('/api/docs/package.json')).status).toBe(404)
  })
})
