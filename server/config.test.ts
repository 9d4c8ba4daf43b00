import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, projectFolder, readConfig, settingNames } from './config.ts'
import { isReserved } from './reserved-paths.ts'

const production = { NODE_ENV: 'production', APP_URL: 'https://app.test', AUTH_SECRET: 'x'.repeat(32) }

describe('settings', () => {
  it('.env.example lists exactly the existing settings, without values', () => {
    const lines = readFileSync('.env.example', 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines.every((line) => line.endsWith('='))).toBe(true)
    expect(lines.map((line) => line.slice(0, -1)).toSorted()).toEqual(settingNames.toSorted())
  })

  it('no setting is required, and an empty value counts as unset', () => {
    const empty = Object.fromEntries(settingNames.map((name) => [name, '']))
    expect(readConfig(empty)).toEqual(readConfig({}))
    expect(readConfig({})).toMatchObject({
      port: 3000,
      appOrigin: 'http://localhost:3000',
      basePath: '/api/auth',
      emailVerification: 'required',
      passwordLength: { min: 8, max: 128 },
      session: expect.objectContaining({ lifetimeSeconds: 604_800 }),
      cookieCacheSeconds: 60,
      membershipLimit: 100,
      invitationLifetimeSeconds: 172_800,
      mailFrom: 'Foyer <no-reply@localhost>',
      warnings: [],
    })
  })

  it.each([
    ['SMTP_URL', 'smtp://me@corp.example:hunter2@127.0.0.1:25'],
    ['SMTP_URL', 'smtp://me:hunt@er2@127.0.0.1:25'],
    ['DATABASE_URL', 'postgresql://me@corp:hunter2@db/foyer'],
    ['DATABASE_URL', 'postgresql://foyer@db/foyer?password=hunter2'],
    ['DATABASE_URL', 'postgresql://foyer:hunter2@one:5432/foyer'],
  ])('%s is shown without its password: %s', (name, value) => {
    const shown = readConfig({ ...production, [name]: value }).shown.find((setting) => setting.name === name)
    expect(shown?.value).toContain('://')
    expect(shown?.value).not.toMatch(/hunter2|er2/)
  })

  it('the brand is checked at the start, and names the sender of emails', () => {
    const branded = readConfig({ PRODUCT_NAME: 'Acme & Söhne', ACCENT_COLOR: '#7a1fa2' })
    expect(branded.mailFrom).toBe('"Acme & Söhne" <no-reply@localhost>')
    expect(branded.brand.colors.light.accent).toBe('#7a1fa2')
    expect(branded.brand.colors.dark.accent).not.toBe('#7a1fa2')
    expect(() => readConfig({ ACCENT_COLOR: '#ffee00' })).toThrow(
      'ACCENT_COLOR: has a contrast of 1.1 to 1 on light pages, where 4.5 to 1 is needed (WCAG 2.2): choose a darker color',
    )
    const wrong = { PRODUCT_NAME: '<b>', LOGO_URL: 'javascript:alert(1)', ACCENT_COLOR: 'red', SUPPORT_EMAIL: 'nobody' }
    for (const [name, value] of Object.entries(wrong)) expect(() => readConfig({ [name]: value })).toThrow(name)
  })

  it('texts of emails are checked at the start, with file and key', () => {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-texts-'))
    const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
    const problemsOf = () => {
      try {
        readConfig({ MAIL_TEXTS_DIR: folder })
        return []
      } catch (error) {
        return error instanceof ConfigError ? error.message.split('\n') : [String(error)]
      }
    }
    write(
      'de.json',
      JSON.stringify({ mails: { verifyEmail: { subject: 'Willkommen, {name}' } }, roles: { member: 'Kollege' } }),
    )
    expect(problemsOf()).toEqual([])
    const { mailTexts } = readConfig({ MAIL_TEXTS_DIR: folder })
    expect(mailTexts.de.mails.verifyEmail.subject).toBe('Willkommen, {name}')
    expect(mailTexts.de.mails.verifyEmail.title).toBe(readConfig({}).mailTexts.de.mails.verifyEmail.title)
    expect(mailTexts.de.roles).toMatchObject({ member: 'Kollege', owner: readConfig({}).mailTexts.de.roles.owner })
    write(
      'en.json',
      JSON.stringify({
        mails: {
          verifyMail: { subject: 'x' },
          verifyEmail: { subject: 'Hello {nobody}' },
          deleted: { action: 'Open' },
          confirmIdentity: { lines: ['No code'] },
          newDevice: { heading: 'x' },
        },
        roles: { king: 'King' },
        footer: {},
      }),
    )
    write('xx.json', '{}')
    write('fr.json', '{')
    const problems = problemsOf()
    for (const problem of [
      'MAIL_TEXTS_DIR: en.json: mails.verifyMail: unknown email kind',
      'MAIL_TEXTS_DIR: en.json: mails.verifyEmail.subject: {nobody} is an unknown placeholder; allowed: name, email, until',
      'MAIL_TEXTS_DIR: en.json: mails.deleted.action: this email has no button',
      'MAIL_TEXTS_DIR: en.json: mails.confirmIdentity: has no {code}',
      'MAIL_TEXTS_DIR: en.json: roles.king: does not exist',
      'MAIL_TEXTS_DIR: en.json: footer: is not one of mails, common and roles, or not an object',
      'MAIL_TEXTS_DIR: fr.json: is not a JSON object',
    ])
      expect(problems).toContain(problem)
    expect(problems.some((problem) => problem.startsWith('MAIL_TEXTS_DIR: xx.json: is not a language file'))).toBe(true)
    expect(problems.some((problem) => problem.startsWith('MAIL_TEXTS_DIR: en.json: mails.newDevice'))).toBe(true)
    expect(() => readConfig({ MAIL_TEXTS_DIR: join(folder, 'nowhere') })).toThrow('cannot be read')
  })

  it('all problems are reported together', () => {
    const wrong = {
      PORT: '70000',
      APP_URL: 'app.test',
      EMAIL_VERIFICATION: 'maybe',
      PASSWORD_MIN: '4',
      SESSION_LIFETIME: '1h',
      AUTH_SECRET: 'short',
      COOKIE_CACHE: 'yes',
    }
    const message = (() => {
      try {
        readConfig(wrong)
      } catch (error) {
        return error instanceof ConfigError ? error.message : ''
      }
    })()
    for (const name of Object.keys(wrong)) expect(message).toContain(`${name}: `)
    expect(message?.split('\n')).toHaveLength(7)
  })

  it.each([
    [{ AUTH_SECRET: '' }, 'AUTH_SECRET'],
    [{ AUTH_SECRET: 'x'.repeat(31) }, 'AUTH_SECRET'],
    [{ AUTH_SECRET: 'change-me-change-me-change-me-change-me' }, 'AUTH_SECRET'],
    [{ APP_URL: 'http://app.test' }, 'APP_URL'],
    [{ APP_URL: 'https://app.test/path' }, 'APP_URL'],
  ])('production does not start with %o (SEC-92)', (wrong, name) => {
    expect(() => readConfig({ ...production, ...wrong })).toThrow(name)
  })

  it.each(['/api', '/api/trpc/auth', '/api/pictures', '/oauth', '/device', '/settings'])(
    'AUTH_BASE_PATH=%s would hide another part, and is refused',
    (path) => {
      expect(() => readConfig({ AUTH_BASE_PATH: path })).toThrow('AUTH_BASE_PATH: is used by other parts of Foyer')
    },
  )

  it.each(['/api/auth', '/auth', '/api/events/auth', '/oauth2'])('AUTH_BASE_PATH=%s is accepted', (path) => {
    expect(readConfig({ AUTH_BASE_PATH: path }).basePath).toBe(path)
  })

  it('AUTH_BASE_PATH cannot be the path of any screen, nor of another part', () => {
    const textOf = (path: string) => readFileSync(join(projectFolder, path), 'utf8')
    const routes = readdirSync(join(projectFolder, 'client', 'app')).map((name) => textOf(`client/app/${name}`))
    // Routes at the top: those of the root, the shell and the administration.
    const top =
      /createRoute\(\{\s*(?:getParentRoute: \(\) => root|\.\.\.(?:shell|administration)Route),\s*path: '(\/[a-z][\w-]*)/g
    const screens = routes.flatMap((text) => [...text.matchAll(top)].map(([, path]) => path))
    const mounts = [...textOf('server/app.ts').matchAll(/host\.(?:use|get)\('(\/[a-z][\w/-]*)'/g)].map(
      ([, path]) => path,
    )
    expect([screens.length > 20, mounts.length > 5]).toEqual([true, true])
    const free = [...screens, ...mounts].filter((path = '') => !isReserved(path))
    expect(free).toEqual([])
    expect(['/oauth', '/oauth/continue', '/auth', '/oauth2'].filter(isReserved)).toEqual(['/oauth', '/oauth/continue'])
  })

  it('production starts on https, or on loopback', () => {
    expect(readConfig(production).isHttps).toBe(true)
    expect(readConfig({ ...production, APP_URL: 'http://127.0.0.1:8080' }).isProduction).toBe(true)
  })

  it('an https APP_URL outside of production is refused, so that no development page is served (SEC-112)', () => {
    expect(() => readConfig({ APP_URL: 'https://app.test' })).toThrow('NODE_ENV: must be production')
    expect(readConfig(production).hasDevelopmentPages).toBe(false)
    expect(readConfig({ APP_URL: 'http://app.test' }).hasDevelopmentPages).toBe(false)
    expect(readConfig({}).hasDevelopmentPages).toBe(true)
  })

  it('AUTH_SECRET may be a list; each secret is validated (SEC-125)', () => {
    const [first, second] = ['a'.repeat(32), 'b'.repeat(40)]
    expect(readConfig({ AUTH_SECRET: `${first}, ${second}` }).authSecrets).toEqual([first, second])
    expect(() => readConfig({ AUTH_SECRET: `${first},short` })).toThrow('AUTH_SECRET')
  })

  it('incompletely configured providers and payments stay off, and the missing setting is logged', () => {
    const config = readConfig({
      GITHUB_CLIENT_ID: 'x',
      VK_CLIENT_ID: 'y',
      DODO_PAYMENTS_API_KEY: 'z',
      APPLE_CLIENT_ID: 'a',
      APPLE_CLIENT_SECRET: 'b',
    })
    expect(Object.keys(config.providers).toSorted()).toEqual(['apple', 'vk'])
    expect(config.payments).toMatchObject({ apiKey: 'z' })
    expect(config.paymentWebhookKeys).toEqual([])
    expect(config.warnings).toEqual([
      'github is disabled: GITHUB_CLIENT_SECRET is missing',
      'the payment webhook is disabled: DODO_PAYMENTS_WEBHOOK_KEY is missing',
    ])
  })
})
