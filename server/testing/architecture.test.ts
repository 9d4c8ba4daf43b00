import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  aboveModules,
  clientOrder,
  moduleLintFile,
  moduleLintRules,
  moduleOrder as order,
} from '../../tools/module-order.ts'
import { projectFolder } from '../config.ts'

/**
 * Architecture rules that the linter cannot express (docs/architecture.md). The file name determines the kind: a router
 * declares procedures, an action is named by a verb, and every other file holds queries or values, without a request.
 */
const modules = order.filter((name) => !['foundation', 'mail', 'request', 'procedure'].includes(name))

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return sourcesBelow(path)
    return name.endsWith('.ts') && !name.endsWith('.test.ts') ? [path] : []
  })
}

function clientSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
}

const verbs = new Set(
  `accept add apply approve ask assign attribute ban cancel change check claim confirm continue count create decide delete disable enable end export find grant handle impersonate import introspect invite issue join leave link
  notify open process read receive reauthenticate reconcile record refresh refund reject release remove rename request require reset return revoke send set sign start sweep switch take transfer unlink update verify run`.split(
    /\s+/,
  ),
)

/** Names that begin with a verb, but are those of things. */
const nouns = new Set(['sign-up-cookie', 'refund'])

type Kind = 'router' | 'guard' | 'action' | 'queries'

function kindOf(file: string): Kind {
  const name = basename(file, '.ts')
  if (name === 'router' || name.endsWith('-procedures')) return 'router'
  if (name === 'guard' || name === 'guards') return 'guard'
  if (name === 'command') return 'action'
  return verbs.has(name.split('-')[0] ?? '') && !nouns.has(name) ? 'action' : 'queries'
}

/** What a file imports, as paths from the project's folder. */
function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/^(?:import|export) (?:type )?[^'"]*?from '(\.[^']+)'/gm)].map(([, from = '']) =>
    relative(projectFolder, join(dirname(path), from)),
  )
}

const files = modules
  .flatMap((module) => sourcesBelow(join(projectFolder, 'server', module)))
  .map((path) => {
    const text = readFileSync(path, 'utf8')
    return { path: relative(projectFolder, path), kind: kindOf(path), text, imports: importsOf(path) }
  })

const ofKind = (...kinds: Kind[]) => files.filter(({ kind }) => kinds.includes(kind))

describe('the order of modules', () => {
  it('is kept by every import, types included', () => {
    const upward = order.flatMap((module) =>
      sourcesBelow(join(projectFolder, 'server', module)).flatMap((path) => {
        return importsOf(path)
          .map((from) => from.split('/')[1] ?? '')
          .filter((other) => order.indexOf(other) > order.indexOf(module) || aboveModules.includes(other))
          .map((other) => `${relative(projectFolder, path)} imports ${other}`)
      }),
    )
    expect(upward).toEqual([])
  })

  it('has no circles between modules, nor with the files beside them', () => {
    const partOf = (file: string) => file.split('/')[1] ?? ''
    const imported = new Map<string, Set<string>>()
    for (const path of sourcesBelow(join(projectFolder, 'server'))) {
      const part = partOf(relative(projectFolder, path))
      if (part === 'testing') continue
      const others = importsOf(path).filter((from) => from.startsWith('server/'))
      imported.set(part, new Set([...(imported.get(part) ?? []), ...others.map(partOf)]))
    }
    expect(
      circlesOf(new Map([...imported].map(([part, others]) => [part, [...others].filter((one) => one !== part)]))),
    ).toEqual([])
  })

  it('is the one that the linter enforces: tsx tools/module-order.ts writes its rules', () => {
    expect(readFileSync(moduleLintFile, 'utf8')).toBe(moduleLintRules())
  })

  it('is the one that docs/architecture.md describes', () => {
    const text = readFileSync(join(projectFolder, 'docs', 'architecture.md'), 'utf8').replace(/\s+/g, ' ')
    expect(text).toContain(order.join(' → '))
  })
})

describe('the kinds of file in a module', () => {
  it('all exist', () => {
    for (const kind of ['router', 'guard', 'action', 'queries'] as const) expect(ofKind(kind)).not.toEqual([])
  })

  it('actions contain no SQL: it stands in files of queries', () => {
    // A call of a template, of a statement, or a string that begins as SQL does.
    const sql = /\$(?:query|execute)Raw|\bstatement\(|['"`]\s*(?:select|insert into|update|delete from|with) /
    const written = ofKind('action').filter(({ text }) => sql.test(text))
    expect(written.map(({ path }) => path)).toEqual([])
  })

  it('prepared statements have named parameters: `statement` makes all of them', () => {
    const positional = sourcesBelow(join(projectFolder, 'server')).filter((path) =>
      /query(?:<[^(]*>)?\(\{\s*name:/.test(readFileSync(path, 'utf8')),
    )
    expect(positional).toEqual([])
  })

  it('queries open no transactions, record no events and queue no emails: their caller decides', () => {
    const deciding = ofKind('queries').filter(({ text }) =>
      /(?<![.$\w])(?:transaction|inTransaction|record|recordAll|recordWith|recordLimited)\(|\.enqueue\(/.test(text),
    )
    expect(deciding.map(({ path }) => path)).toEqual([])
  })

  it('queries do not import the request context', () => {
    const seeing = ofKind('queries').filter(({ imports }) => imports.some((from) => from.includes('request/context')))
    expect(seeing.map(({ path }) => path)).toEqual([])
  })

  it('queries and actions do not import routers or guards', () => {
    const importing = ofKind('queries', 'action').filter(({ imports }) =>
      imports.some((from) => ['router', 'guard'].includes(kindOf(from))),
    )
    expect(importing.map(({ path }) => path)).toEqual([])
  })

  it('a procedure body has at most twelve lines', () => {
    const long = ofKind('router').flatMap(({ path, text }) =>
      [...text.matchAll(/^( +)(?:\w+: .*)?\.(?:query|mutation)\((?:async )?\(.*?\) => [({]+\n(.*?)\n\1[)}]+\),\n/gms)]
        .map(([, , body = '']) => body.split('\n').length)
        .filter((lines) => lines > 12)
        .map((lines) => `${path}: ${lines}`),
    )
    expect(long).toEqual([])
  })

  it('routers open no transactions, and only they declare procedures', () => {
    const deciding = ofKind('router').filter(({ text }) => /\btransaction\(|inTransaction\(/.test(text))
    const declaring = ofKind('action', 'queries').filter(({ text }) =>
      /\.(?:query|mutation)\((?:async )?\(\{ ctx/.test(text),
    )
    expect([deciding, declaring].map((found) => found.map(({ path }) => path))).toEqual([[], []])
  })

  it('routers contain no statements', () => {
    const raw = ofKind('router').filter(({ text }) =>
      /\$(?:query|execute)Raw|sql\.query|pool\.query|\bdb\.\w+\.(?:find|count|create|update|upsert|delete)/.test(text),
    )
    expect(raw.map(({ path }) => path)).toEqual([])
  })
})

describe('the client', () => {
  /** Its folders: each imports only those before it. */
  const order = clientOrder
  const folder = join(projectFolder, 'client')
  const sources = readdirSync(folder)
    .filter((name) => name !== 'sdk' && statSync(join(folder, name)).isDirectory())
    .flatMap((name) => clientSources(join(folder, name)))
  const imports = new Map(
    sources.map((path) => [
      relative(projectFolder, path),
      importsOf(path).filter((from) => from.startsWith('client/')),
    ]),
  )
  const folderOf = (file: string) => file.split('/')[1] ?? ''
  const rank = (name: string) => order.indexOf(name)

  it('has an order, types included, which docs/architecture.md describes', () => {
    const upward = [...imports].flatMap(([file, all]) =>
      all.filter((from) => rank(folderOf(from)) > rank(folderOf(file))).map((from) => `${file} imports ${from}`),
    )
    expect(imports.size).toBeGreaterThan(200)
    expect([...imports.keys()].map(folderOf).filter((name) => !order.includes(name))).toEqual([])
    const text = readFileSync(join(projectFolder, 'docs', 'architecture.md'), 'utf8').replace(/\s+/g, ' ')
    expect(text).toContain(order.join(' → '))
    expect(upward).toEqual([])
  })

  it('has no circular imports, types included', () => {
    expect(circlesOf(imports)).toEqual([])
  })
})

/** The circles of a graph, as paths. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (node: string, path: string[]): void => {
    if (path.includes(node)) circles.push([...path.slice(path.indexOf(node)), node].join(' > '))
    if (done.has(node) || path.includes(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return circles
}
