import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectFolder } from '../config.ts'
import { registerApplication } from './applications.ts'
import { createOrganizationOwner } from './organizations.ts'
import { freePorts } from './ports.ts'
import { createTestApp } from './test-app.ts'

const audience = 'https://api.example.com'
const testApp = await createTestApp({ TOKEN_AUDIENCES: audience })
const file = (name: string) => join(projectFolder, 'docs', 'integrate', name)

/** A Python interpreter that has PyJWT with cryptography. */
const python = ['python3', '/usr/bin/python3'].find((program) => {
  try {
    execFileSync(program, ['-c', 'import jwt, cryptography'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})

/** Calls the back end of a recipe with a valid token, an altered one and none. */
async function checkBackend(start: (environment: Record<string, string>) => ChildProcess): Promise<void> {
  const [port = ''] = await freePorts(1)
  const child = start({ FOYER_URL: testApp.origin, AUDIENCE: audience, PORT: port })
  try {
    const ask = (token: string) => fetch(`http://127.0.0.1:${port}/`, { headers: { authorization: `Bearer ${token}` } })
    while (!(await ask('x').catch(() => undefined))) await new Promise((done) => setTimeout(done, 50))
    const owner = await createOrganizationOwner(testApp)
    const { token } = (await owner.browser.get(`/token?audience=${encodeURIComponent(audience)}`)).body
    const answer = await ask(token)
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { user: owner.id, organization: owner.organization.slug, role: 'owner' },
    ])
    const [head, , signature] = token.split('.')
    const other = Buffer.from(JSON.stringify({ sub: 'root', aud: audience, iss: testApp.origin })).toString('base64url')
    expect((await ask(`${head}.${other}.${signature}`)).status).toBe(401)
    const foreign = (await owner.browser.get('/token')).body.token
    expect((await ask(foreign)).status).toBe(401)
  } finally {
    child.kill('SIGTERM')
  }
}

describe('the recipes of docs/integrate.md', () => {
  it('a Node back end verifies tokens', async () => {
    const start = (environment: Record<string, string>) =>
      spawn(process.execPath, [file('backend.mjs')], { env: { ...process.env, ...environment } })
    await expect(checkBackend(start)).resolves.toBeUndefined()
  })

  it.skipIf(!python)(
    `a Python back end verifies tokens${python ? '' : ' (skipped: no Python with PyJWT)'}`,
    async () => {
      const start = (environment: Record<string, string>) =>
        spawn(python ?? '', [file('backend.py')], { env: { ...process.env, ...environment } })
      await expect(checkBackend(start)).resolves.toBeUndefined()
    },
  )

  it('a command-line program signs its user in with the device flow', async () => {
    const cli = await registerApplication(testApp, {
      isPublic: true,
      grantTypes: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      redirectUris: [],
    })
    const owner = await createOrganizationOwner(testApp)
    const environment = { FOYER_URL: testApp.origin, CLIENT_ID: cli.id, POLL_MS: '100' }
    const child = spawn(process.execPath, [file('cli.mjs')], { env: { ...process.env, ...environment } })
    let said = ''
    child.stdout.on('data', (part: Buffer) => (said += part.toString()))
    while (!/enter (\S+)/.test(said)) await new Promise((done) => setTimeout(done, 50))
    const [, userCode = ''] = /enter (\S+)/.exec(said) ?? []
    await owner.browser.trpc.oauth.decideDevice.mutate({ userCode, isAllowed: true })
    expect(await new Promise((done) => child.once('exit', done))).toBe(0)
    expect(said.trim().split('\n').at(-1)).toBe(JSON.stringify([owner.organization.slug]))
  })
})
