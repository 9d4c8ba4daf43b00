import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { enSignIn } from '../../client/language/en-sign-in.ts'
import { projectFolder } from '../config.ts'
import { proceduresOf } from '../http/procedures.ts'
import { refusalsOf } from '../http/refusals-by-call.ts'
import { appRouter } from '../router.ts'

// The first visit contains only the texts of the sign-in screen, in the language of the page. A text that it lacks
// would be shown as its key.

const client = join(projectFolder, 'client')

/** The client's own modules that are loaded together with one of them: all that it imports without `import()`. */
function loadedWith(module: string): { path: string; text: string }[] {
  const waiting = [join(client, module)]
  const found = new Map<string, string>()
  for (const path of waiting) {
    if (found.has(path) || !path.startsWith(client) || !/\.tsx?$/.test(path) || !existsSync(path)) continue
    const text = readFileSync(path, 'utf8')
    found.set(path, text)
    for (const [, from = ''] of text.matchAll(/^import (?!type )[^'"]*?'(\.[^']+)'/gm))
      waiting.push(join(dirname(path), from))
  }
  return [...found].map(([path, text]) => ({ path, text }))
}

it('has the texts that its screens show', () => {
  const texts: Record<string, object> = enSignIn
  const modules = loadedWith('main.tsx')
  expect(modules.map(({ path }) => path)).toContain(join(client, 'session', 'SignIn.tsx'))
  const used = modules.flatMap(({ text }) =>
    [...text.matchAll(/\bt\(\s*'(\w+)\.(\w+)'/g)].map(([, group = '', name = '']) => ({ group, name })),
  )
  expect(used.length).toBeGreaterThan(30)
  const missing = used.filter(({ group, name }) => !Object.hasOwn(texts[group] ?? {}, name))
  expect(missing).toEqual([])
})

it('has the texts of all refusals of the calls that it makes', () => {
  const called = loadedWith('session/SignIn.tsx').flatMap(({ text }) => [...text.matchAll(/\btrpc\.(\w+\.\w+)\.\w+/g)])
  const calls = new Set(called.map(([, name = '']) => name))
  expect([...calls]).toContain('session.signInEmail')
  const missing = proceduresOf(appRouter)
    .filter(({ name }) => calls.has(name))
    .flatMap((procedure) =>
      refusalsOf(procedure)
        .filter((key) => !Object.hasOwn(enSignIn.refusal, key))
        .map((key) => `${procedure.name}: ${key}`),
    )
  expect(missing).toEqual([])
})
