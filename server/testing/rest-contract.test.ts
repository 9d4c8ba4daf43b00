import { describe, expect, it } from 'vitest'
import { callbackCodes, linkErrors, refusals } from '../../shared/errors.ts'
import { calls, messages } from './rest-contract.ts'
import { createTestApp } from './test-app.ts'

const testApp = await createTestApp()

describe('the REST contract', () => {
  it.each(calls)('%s answers as its description says', async (call) => {
    const [method = '', path = ''] = call.split(' ')
    const { body: api } = await testApp.browser().request('/api/openapi.json')
    const described = `/api/auth${path}`
      .replace('reset-password/token', 'reset-password/{token}')
      .replace(/callback\/\w+/, 'callback/{id}')
    const responses: Record<string, unknown> = api.paths[described]?.[method.toLowerCase()]?.responses ?? {}
    const browser = testApp.browser()
    const { status, body } = method === 'GET' ? await browser.get(path) : await browser.post(path)
    expect(Object.keys(responses)).toContain(String(status))
    expect(body?.code).not.toBe('NOT_FOUND')
  })

  it('every message is in the catalogue', () => {
    const said = new Set<string>([
      ...Object.values(refusals).map(({ message }) => message),
      ...Object.keys(linkErrors),
      ...callbackCodes,
    ])
    const missing = Object.values(messages)
      .flat()
      .filter((message) => !said.has(message))
    expect(missing).toEqual([])
  })
})
