import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { projectFolder } from '../server/config.ts'
import { moduleLintRules, moduleOrder } from './module-order.ts'

// `npm run new-module -- NAME DESCRIPTION`: writes a module of the server with a working procedure and its test, adds
// it wherever modules are listed, and prints the remaining steps.

const usage = 'Usage: npm run new-module -- NAME DESCRIPTION, such as: comment "Comments on invoices"'

/** Words in lower case, joined by hyphens. */
const Name = /^[a-z]+(?:-[a-z]+)*$/
const maxNameLength = 30

/** What is written for a new module, by path. Throws an error that says why the module cannot be added. */
export async function filesOfNewModule(
  folder: string,
  { name, description }: { name: string; description: string },
): Promise<Map<string, string>> {
  if (!Name.test(name) || name.length > maxNameLength || description.trim() === '') throw new Error(usage)
  const Type = name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
  const key = Type.charAt(0).toLowerCase() + Type.slice(1)
  const files = newFiles(name, { Type, key })
  const taken = [`server/${name}`, ...files.keys()].find((path) => existsSync(join(folder, path)))
  if (taken !== undefined) throw new Error(`${taken} already exists.`)
  const router = await readFile(join(folder, 'server/router.ts'), 'utf8')
  if (new RegExp(`^ {2}${key}:`, 'm').test(router)) throw new Error(`server/router.ts already has ${key}.`)

  const edit = async (path: string, ...replacements: [from: string, to: string][]) => {
    let text = files.get(path) ?? (await readFile(join(folder, path), 'utf8'))
    for (const [from, to] of replacements) {
      if (!text.includes(from)) throw new Error(`${path}: insertion point for the new module not found.`)
      text = text.replace(from, () => to)
    }
    files.set(path, text)
  }
  const last = moduleOrder.at(-1) ?? ''
  await edit('tools/module-order.ts', [`  '${last}',\n]`, `  '${last}',\n  '${name}',\n]`])
  await edit(
    'docs/architecture.md',
    [`→ ${last}\``, `→ ${last} → ${name}\``],
    [`, ${last}\nmaintenance/`, `, ${last}, ${name}\nmaintenance/`],
  )
  files.set('tools/module-order.oxlintrc.json', moduleLintRules([...moduleOrder, name]))
  await edit(
    'server/router.ts',
    ['\n/** All procedures', `import { ${key}Router } from './${name}/router.ts'\n\n/** All procedures`],
    ['\n})\n', `\n  ${key}: ${key}Router,\n})\n`],
  )
  const text = `'${description.trim().replaceAll(/[\\']/g, String.raw`\$&`)}'`
  await edit('server/http/openapi.ts', ["\n  webhook: '", `\n  ${key}: ${text},\n  webhook: '`])
  return files
}

function newFiles(name: string, { Type, key }: { Type: string; key: string }): Map<string, string> {
  return new Map([
    [
      `shared/${name}.ts`,
      `import { z } from 'zod'

/** The response of a call of this module. */
export const ${Type} = z.object({ id: z.string(), name: z.string() })
`,
    ],
    [
      `server/${name}/router.ts`,
      `import { z } from 'zod'
import { ${Type} } from '../../shared/${name}.ts'
import { protectedProcedure } from '../procedure/guards.ts'
import { router } from '../procedure/trpc.ts'

export const ${key}Router = router({
  list: protectedProcedure
    .meta({ rest: 'GET /${name}/list', summary: 'List the caller’s own, newest first' })
    .output(z.array(${Type}))
    .query(() => []),
})
`,
    ],
    [
      `server/${name}/${name}.test.ts`,
      `import { describe, expect, it } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'
import { createUser } from '../testing/test-users.ts'

const testApp = await createTestApp()

describe('GET /${name}/list', () => {
  it('answers the caller’s own, and asks for a session', async () => {
    const user = await createUser(testApp)
    expect((await user.browser.get('/${name}/list')).body).toEqual([])
    expect((await testApp.browser().get('/${name}/list')).status).toBe(401)
  })
})
`,
    ],
  ])
}

const nextSteps = (name: string) => `
Run \`npx oxfmt\`, \`npm run check\` and \`npx vitest run server/${name}\`: they pass. What remains:
  1. tools/module-order.ts and docs/architecture.md: the module is the last one; move it down if others need it
     (\`npx tsx tools/module-order.ts\` then writes the rules of the linter)
  2. prisma/schema.prisma, then npm run generate, and npm run migration -- add_${name.replaceAll('-', '_')}
  3. client/${name}/ with its screen (a place in clientOrder of tools/module-order.ts and in docs/architecture.md), a route in
     client/app/, its texts in client/language/en-screens.ts, an entry in client/shell/organization-entries.ts or admin-entries.ts
  4. client/api/refresh.ts: the queries that its mutations invalidate
  5. tools/table-owners.ts, and the table of routers in docs/architecture.md
  6. for each procedure, steps 1 to 9 of CONTRIBUTING.md`

if (process.argv[1]?.endsWith('new-module.ts')) {
  const [name = '', description = ''] = process.argv.slice(2)
  try {
    // Written only once all of them are known to be possible.
    for (const [path, text] of await filesOfNewModule(projectFolder, { name, description })) {
      const file = join(projectFolder, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
      console.log(`Wrote ${path}`)
    }
    console.log(nextSteps(name))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
