import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { en } from '../client/language/en.ts'
import { projectFolder } from '../server/config.ts'
import { checkAccessibility, createOrganization, expect, password, signUpAndVerify, test } from './fixtures.ts'

const [, , , productPort = ''] = (process.env['JOURNEY_PORTS'] ?? '').split(' ')
const product = `http://localhost:${productPort}`
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

// Both use the one port that Foyer trusts.
test.describe.configure({ mode: 'default' })

/** A product on another origin: the files of a folder, and its page for every other URL. */
async function serve(read: (path: string) => Buffer | string | undefined): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', product)
    const file = read(pathname)
    response.setHeader('content-type', file === undefined ? 'text/html' : (types[extname(pathname)] ?? 'text/html'))
    response.end(file ?? read('/index.html'))
  })
  await new Promise<void>((listening) => server.listen(Number(productPort), 'localhost', listening))
  return server
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel(en.field.email).fill(email)
  await page.getByLabel(en.field.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: en.common.signIn }).click()
}

/** Runs npm, and returns its output, which contains the reason of a failure. */
function npm(cwd: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

/** npm's errors without a registry. */
const unreachable = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED/

/**
 * Installs the package and the dependencies of the template. Where no registry is reachable, the project's own packages
 * are used.
 */
function install(folder: string, tarball: string): boolean {
  const { status, output } = npm(
    folder,
    'install',
    tarball,
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--fetch-retries=0',
  )
  if (status === 0) return true
  expect(output).toMatch(unreachable)
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  mkdirSync(join(folder, 'node_modules', '@foyer', 'client'), { recursive: true })
  execFileSync('tar', ['xzf', tarball, '-C', join(folder, 'node_modules', '@foyer', 'client'), '--strip-components=1'])
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, '..', 'node_modules'))
  return false
}

/** Makes the compiler check the declarations of packages too. */
function checkDeclarations(tsconfig: string): void {
  const text = readFileSync(tsconfig, 'utf8')
  expect(text).toContain('"skipLibCheck": true')
  writeFileSync(tsconfig, text.replace('"skipLibCheck": true', '"skipLibCheck": false'))
}

/** The example of docs/integrate.md, and a call that does not compile, whose refusal is shown. */
function application(url: string): string {
  const example = readFileSync(join(projectFolder, 'docs', 'integrate', 'App.tsx'), 'utf8')
  const call = 'setTeams(await client.team.list.query())'
  expect(example).toContain(call)
  const wrong = `// @ts-expect-error a name is required, and a number is none
      client.team.create.mutate({ name: 1 }).catch((error: unknown) => setProblem(refusalOf(error)))
      `
  return example.replace('http://localhost:3000', url).replace(call, wrong + call)
}

test('the client package works in a product on another origin, built from a Vite template', async ({
  page,
  baseURL,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-product-'))
  let server: Server | undefined
  try {
    const output = execFileSync('npm', ['run', 'package', '--', '--out', folder], { cwd: projectFolder, stdio: 'pipe' })
    const tarball = output.toString().trim().split('\n').at(-1) ?? ''
    expect(existsSync(tarball)).toBe(true)
    const create = join(projectFolder, 'node_modules', 'create-vite', 'index.js')
    execFileSync(process.execPath, [create, 'app', '--template', 'react-ts', '--no-interactive'], {
      cwd: folder,
      stdio: 'pipe',
    })
    writeFileSync(join(folder, 'app', 'src', 'App.tsx'), application(baseURL ?? ''))
    writeFileSync(
      join(folder, 'app', 'src', 'index.css'),
      ':root { color-scheme: light dark; font-family: sans-serif }',
    )
    if (install(join(folder, 'app'), tarball)) checkDeclarations(join(folder, 'app', 'tsconfig.app.json'))
    const built = npm(join(folder, 'app'), 'run', 'build')
    expect(built.status, built.output).toBe(0)

    const site = join(folder, 'app', 'dist')
    const index = readFileSync(join(site, 'index.html'))
    server = await serve((path) => {
      if (path === '/index.html') return index
      return path !== '/' && existsSync(join(site, path)) ? readFileSync(join(site, path)) : undefined
    })

    const person = await signUpAndVerify(page)
    const first = await createOrganization(page)
    await page.goto('/')
    const second = await createOrganization(page)
    await page.context().clearCookies()
    await page.goto(`${product}/reports?year=2026`)
    await expect(page).toHaveURL(/\/sign-in\?next=/)
    await signIn(page, person.email)
    await expect(page).toHaveURL(`${product}/reports?year=2026`)
    await expect(page.getByRole('heading', { name: `Hello ${person.name}` })).toBeVisible()
    // The organization used last, then the other one, then none.
    await expect(page.locator('#organization')).toHaveText(`${second.name} as owner`)
    const switcher = page.getByRole('combobox', { name: 'Organization' })
    await switcher.selectOption({ label: first.name })
    await expect(page.locator('#organization')).toHaveText(`${first.name} as owner`)
    await page.getByRole('button', { name: 'Load' }).click()
    await expect(page.locator('#teams')).toHaveText(first.name)
    await expect(page.locator('#token')).toHaveText(/^ey[\w-]+\.[\w-]+\.[\w-]+$/)
    await expect(page.locator('#problem')).toHaveText('INVALID_BODY')
    await page.reload()
    await expect(page.locator('#organization')).toHaveText(`${first.name} as owner`)
    await switcher.selectOption({ label: 'Personal account' })
    await expect(page.locator('#organization')).toHaveText('Personal')
    await checkAccessibility(page)

    const button = page.getByRole('button', { name: `Account menu: ${person.name}` })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menu')).toContainText(person.email)
    await checkAccessibility(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
    await expect(button).toBeFocused()
    await button.click()
    await page.getByRole('menuitem', { name: 'Manage account' }).click()
    await expect(page.getByRole('link', { name: `Back to localhost:${productPort}` })).toBeVisible()
    await page.getByRole('link', { name: `Back to localhost:${productPort}` }).click()
    await button.click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/sign-in\?next=/)
    const answer = await page.request.get('/api/auth/get-session')
    expect(await answer.json()).toBeNull()
  } finally {
    server?.close()
    server?.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the page of docs/integrate.md shows the signed-in user, on another origin', async ({ page, baseURL }) => {
  const recipe = readFileSync(join(projectFolder, 'docs', 'integrate', 'page.html'), 'utf8')
  const server = await serve(() => recipe.replace('https://id.example.com', baseURL ?? ''))
  try {
    const { email } = await signUpAndVerify(page)
    await page.goto(`${product}/shop?item=7`)
    await expect(page.getByText(`Signed in as ${email}`)).toBeVisible()
    await page.getByRole('link', { name: 'Sign out' }).click()
    // Another site cannot sign a user out with a link alone.
    await page.getByRole('button', { name: en.common.signOut }).click()
    await expect(page).toHaveURL(`${product}/shop?item=7`)
    await expect(page.getByText('Signed out')).toBeVisible()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, email)
    await expect(page).toHaveURL(`${product}/shop?item=7`)
    await expect(page.getByText(`Signed in as ${email}`)).toBeVisible()
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

/** A TypeScript program whose types openapi-typescript has generated. */
const program = `import createClient from 'openapi-fetch'
import type { paths } from './api.js'

const [, , url = '', email = '', password = ''] = process.argv
const signIn = createClient<paths>({ baseUrl: url, headers: { origin: url } })
const { data, response } = await signIn.POST('/api/auth/sign-in/email', { body: { email, password } })
const cookie = response.headers.getSetCookie().map((value) => value.split(';')[0]).join('; ')
const api = createClient<paths>({ baseUrl: url, headers: { origin: url, cookie } })
const { data: organizations } = await api.GET('/api/auth/organization/list')
const created = await api.POST('/api/auth/organization/create', { body: { name: 'Generated', slug: \`g\${process.pid}\` } })
// @ts-expect-error an organization has a name
await api.POST('/api/auth/organization/create', { body: { slug: 'x' } })
const { error } = await api.GET('/api/auth/organization/list-teams', { params: { query: { organizationId: 'none' } } })
const code: string | undefined = error?.code
console.log(JSON.stringify([data && 'user' in data ? data.user.email : undefined, organizations?.length, created.data?.name, code]))
`

test('a client generated by openapi-typescript signs in and lists', async ({ page, baseURL }) => {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-generated-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
    const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3', '@types/node@20']
    const installed = npm(
      folder,
      'install',
      ...packages,
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--fetch-retries=0',
    )
    test.skip(
      unreachable.test(installed.output),
      'The registry is not reachable, and the generator needs another TypeScript.',
    )
    expect(installed.status, installed.output).toBe(0)
    const { email } = await signUpAndVerify(page)
    const generated = npm(
      folder,
      'exec',
      '--',
      'openapi-typescript',
      `${baseURL}/api/openapi.json`,
      '--output',
      'api.ts',
    )
    expect(generated.status, generated.output).toBe(0)
    writeFileSync(join(folder, 'program.ts'), program)
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', '--outDir', 'out']
    const compiled = npm(folder, 'exec', '--', 'tsc', ...options, 'program.ts')
    expect(compiled.status, compiled.output).toBe(0)
    const output = execFileSync(process.execPath, [join(folder, 'out', 'program.js'), baseURL ?? '', email, password])
    expect(JSON.parse(output.toString())).toEqual([email, 0, 'Generated', 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
