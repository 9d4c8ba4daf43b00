import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectFolder } from '../config.ts'
import { executedStatements } from './statements.ts'

/** The name of a statement: `name: 'sessions.find'` or `statement('sessions.create'`. A part of it may be inserted. */
const named = /\b(?:name: |statement\(\s*)(?:'([a-z]+\.\w+)'|`([a-z]+\.[^`]+)`)/g

// Runs after all other tests, and only in a full run: raw SQL is not checked by the compiler.
it('every named statement was executed against the migrated schema', () => {
  const folder = join(projectFolder, 'server')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|^testing|^http\/openapi/.test(path))
    .flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(named)])
    .map(([, plain, template]) => plain ?? template?.replaceAll(/\$\{.+?\}/g, '*') ?? '')
  expect(names.length).toBeGreaterThan(30)
  const executed = executedStatements()
  const isExecuted = (name: string) => {
    const [start = '', end] = name.split('*')
    return executed.some((one) => (end === undefined ? one === start : one.startsWith(start)))
  }
  expect(names.filter((name) => !isExecuted(name))).toEqual([])
})
