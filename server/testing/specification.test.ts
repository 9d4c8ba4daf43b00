import { describe, expect, it } from 'vitest'
import { callbackCodes, linkErrors, refusals } from '../../shared/errors.ts'
import { calls, messages } from './specification.ts'
import { openWorld } from './world.ts'

const world = await openWorld()

describe('the specification', () => {
  it.each(calls)('%s is implemented', async (call) => {
    const [method = '', path = ''] = call.split(' ')
    const browser = world.browser()
    const { status, body } = method === 'GET' ? await browser.get(path) : await browser.post(path)
    // Without a session and a body, a call answers, or refuses for want of one of them.
    expect([200, 302, 400, 401, 403]).toContain(status)
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
