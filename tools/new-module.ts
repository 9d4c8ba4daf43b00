import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFolder } from '../server/config.ts'
import { moduleOrder, writeModuleLintRules } from './module-order.ts'

// `npm run new-module -- NAME`: writes a module of the server with a working procedure and its test, adds it wherever modules
// are listed, and prints the remaining steps.

const name = process.argv[2] ?? ''
if (!/^[a-z][a-z-]{1,30}$/.test(name)) {
  console.error('Give the module a lower-case name: npm run new-module -- comment')
  process.exit(2)
}
if (existsSync(join(projectFolder, 'server', name))) {
  console.error(`server/${name} already exists.`)
  process.exit(1)
}
const Type = name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
const key = Type.charAt(0).toLowerCase() + Type.slice(1)

const files: Record<string, string> = {
  [`shared/${name}.ts`]: `import { z } from 'zod'

/** The response of a call of this module. */
export const ${Type} = z.object({ id: z.string(), name: z.string() })
`,
  [`server/${name}/router.ts`]: `import { z } from 'zod'
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
  [`server/${name}/${name}.test.ts`]: `import { describe, expect, it } from 'vitest'
import { signedIn } from '../testing/people.ts'
import { openWorld } from '../testing/world.ts'

const world = await openWorld()

describe('GET /${name}/list', () => {
  it('answers the caller’s own, and asks for a session', async () => {
    const person = await signedIn(world)
    expect((await person.browser.get('/${name}/list')).body).toEqual([])
    expect((await world.browser().get('/${name}/list')).status).toBe(401)
  })
})
`,
}

for (const [path, text] of Object.entries(files)) {
  const file = join(projectFolder, path)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, text)
  console.log(`Wrote ${path}`)
}
/** Replaces a text in a file of the project. */
async function edit(path: string, from: string | RegExp, to: string): Promise<void> {
  const file = join(projectFolder, path)
  const text = await readFile(file, 'utf8')
  const changed = text.replace(from, to)
  if (changed === text) throw new Error(`${path} has no place for the new module`)
  await writeFile(file, changed)
  console.log(`Changed ${path}`)
}

const last = moduleOrder.at(-1) ?? ''
await edit('tools/module-order.ts', `  '${last}',\n]`, `  '${last}',\n  '${name}',\n]`)
await edit('docs/architecture.md', `→ ${last}\``, `→ ${last} → ${name}\``)
moduleOrder.push(name)
await writeModuleLintRules()
await edit(
  'server/router.ts',
  '\n/** All procedures',
  `import { ${key}Router } from './${name}/router.ts'\n\n/** All procedures`,
)
await edit('server/router.ts', '\n})\n', `\n  ${key}: ${key}Router,\n})\n`)
await edit('server/http/openapi.ts', "\n  webhook: '", `\n  ${key}: 'Describe this group of calls',\n  webhook: '`)
console.log(`
Run \`npm run check\` and \`npx vitest run server/${name}\`: both pass. What remains:
  1. tools/module-order.ts and docs/architecture.md: the module is the last one; move it down if others need it
     (\`npx tsx tools/module-order.ts\` then writes the rules of the linter)
  2. server/http/openapi.ts: the description of its calls
  3. prisma/schema.prisma, then npm run migration -- add_${name.replaceAll('-', '_')}
  4. client/${name}/ with its screen, a route in client/app/, its texts in client/language/en-screens.ts, an entry in
     client/shell/Navigation.tsx and client/shell/CommandPalette.tsx
  5. client/api/refresh.ts: the queries that its mutations invalidate`)
