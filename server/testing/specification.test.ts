import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { callbackCodes, linkErrors, refusals } from '../../shared/errors.ts'
import { calls, messages } from './specification.ts'
import { openWorld } from './world.ts'

const world = await openWorld()

describe('the specification', () => {
  it.each(calls)('%s is implemented', async (call) => {
    const [method = '', path = ''] = call.split(' ')
    const browser = world.browser()
    const { body } = method === 'GET' ? await browser.get(path) : await browser.post(path)
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

  it('every refusal in the catalogue is used', () => {
    const sources = ['server', 'shared'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'errors.ts')
        .map((name) => readFileSync(join(folder, name), 'utf8')),
    )
    const catalogue = readFileSync('shared/errors.ts', 'utf8').split('export const linkErrors')[1] ?? ''
    const all = [...sources, catalogue].join('\n')
    const silent = Object.keys(refusals).filter((key) => !all.includes(`'${key}'`))
    expect(silent).toEqual([])
  })
})
