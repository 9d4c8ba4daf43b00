import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectFolder } from '../config.ts'

/** Checks that what the documents say about files is true. */
const documents = ['README.md', 'CONTRIBUTING.md', ...pagesBelow('docs')]

function pagesBelow(folder: string): string[] {
  return readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
}

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8')

/** Paths from the project's folder: those in its source folders. */
const path = /(?:server|client|shared|prisma|tools|bench|e2e|deploy|docs)\/[\w./-]*\w/

it.each(documents)('%s names files that exist', (document) => {
  const named = [...read(document).matchAll(new RegExp(`\`(${path.source})/?\``, 'g'))].map(([, name = '']) => name)
  expect(named.filter((name) => !existsSync(join(projectFolder, name)))).toEqual([])
})

it.each(documents)('%s names symbols of a file that are in it', (document) => {
  // Written as `file` `symbol`.
  const pairs = [...read(document).matchAll(new RegExp(`\`(${path.source})\` \`(\\w+)\``, 'g'))]
  const missing = pairs.filter(([, file = '', symbol = '']) => !new RegExp(`\\b${symbol}\\b`).test(read(file)))
  expect(missing.map(([pair]) => pair)).toEqual([])
})
