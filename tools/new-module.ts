import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFolder } from '../server/config.ts'

// `npm run new-module -- NAME`: writes the files of a module on each layer, with a working procedure and its test, and
// prints the remaining manual steps.

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
  /** The caller's own, newest first. */
  list: protectedProcedure
    .meta({ rest: 'GET /${name}/list' })
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
console.log(`
Remaining steps:
  1. server/router.ts: ${key}: ${key}Router
  2. .oxlintrc.json, server/testing/architecture.test.ts and docs/architecture.md: its position in the order of modules
  3. prisma/schema.prisma, then npm run migration -- add_${name.replaceAll('-', '_')}
  4. client/${name}/ with its screen, a route in client/app/routes.tsx, its texts in client/language/en.ts
  5. client/app/refresh.ts: the queries that its mutations invalidate`)
