import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectFolder } from '../config.ts'

/** Checks that the tests, files and requirement ids that docs/requirements.md references exist. */
const page = readFileSync(join(projectFolder, 'docs', 'requirements.md'), 'utf8')
const rows = [...page.matchAll(/^\| ((?:SEC|REL)-\d+) \| (.*?) \| (.*?) \| (.*?) \|$/gm)].map(
  ([, id = '', rule = '', implementation = '', references = '']) => ({
    id,
    rule,
    implementation,
    references: references.split('<br>'),
  }),
)

/** Source files below a folder, except generated ones. */
function sourcesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (/^(?:node_modules|dist|\.data|\.git|results)$/.test(name) || path.endsWith(join('prisma', 'client'))) return []
    if (statSync(path).isDirectory()) return sourcesBelow(path)
    return /\.(?:tsx?|prisma)$/.test(name) ? [path] : []
  })
}

describe('docs/requirements.md', () => {
  it('lists each requirement once', () => {
    const ids = rows.map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(90)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(rows)('$id references existing tests', ({ references }) => {
    for (const reference of references) {
      if (reference.startsWith('open: ') || reference === '`npm run faults`') continue
      const [path = '', title = ''] = reference.split(' › ')
      expect(readFileSync(join(projectFolder, path), 'utf8')).toContain(title)
      expect(title).not.toBe('')
    }
  })

  it.each(rows)('$id references existing files', ({ implementation }) => {
    for (const [, path = ''] of implementation.matchAll(/`([\w./-]+\.\w+|[\w-]+\/)`/g)) {
      expect(existsSync(join(projectFolder, path))).toBe(true)
    }
  })

  it('names a file that references the requirement, if there is one', () => {
    const sources = ['server', 'client', 'shared', 'prisma'].flatMap((name) => sourcesBelow(join(projectFolder, name)))
    const citing = sources
      .filter((path) => !/\.test\.|\/testing\/|\/migrations\//.test(path))
      .map((path) => ({ path: relative(projectFolder, path), text: readFileSync(path, 'utf8') }))
    const elsewhere = rows.filter(({ id, implementation }) => {
      const files = citing.filter(({ text }) => new RegExp(`\\b${id}\\b`).test(text))
      return files.length > 0 && !files.some(({ path }) => implementation.includes(`\`${path}\``))
    })
    expect(elsewhere.map(({ id }) => id)).toEqual([])
  })

  it('lists every requirement that the code references', () => {
    const known = new Set(rows.map(({ id }) => id))
    const named = ['server', 'client', 'shared', 'prisma', 'e2e', 'tools']
      .flatMap((folder) => sourcesBelow(join(projectFolder, folder)))
      .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/\b(?:SEC|REL)-\d+\b/g)].map(([id]) => id))
    expect([...new Set(named)].filter((id) => !known.has(id))).toEqual([])
  })

  it('requirements tested by the fault report occur in it', () => {
    const report = readFileSync(join(projectFolder, 'tools', 'faults.ts'), 'utf8')
    const provoked = rows.filter(({ references }) => references.includes('`npm run faults`')).map(({ id }) => id)
    expect(provoked.filter((id) => !report.includes(`'${id}'`))).toEqual([])
  })
})
