import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { en } from '../../client/language/en.ts'
import {
  aboveModules,
  clientOrder,
  moduleLintFile,
  moduleLintRules,
  moduleOrder as order,
  openedServer,
  paymentOrder,
  plainFiles,
  textOwners,
} from '../../tools/module-order.ts'
import { foreignWrites, tableOwners } from '../../tools/table-owners.ts'
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
  `accept activate add apply ask assign ban cancel change check claim clear confirm consume continue count create decide delete deliver disable download enable end export find grant hand handle impersonate import introspect invite issue join leave link lock mark
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

/** The tables, by the names of their models. */
const models = [
  ...readFileSync(join(projectFolder, 'prisma', 'schema.prisma'), 'utf8').matchAll(/^model (\w+) \{/gm),
].map(([, name = '']) => name)

/** Calls of Prisma's client in a text: the model and the method. */
function databaseCalls(text: string): { table: string; method: string }[] {
  const methods = 'find\\w+|count|aggregate|groupBy|create\\w*|update\\w*|delete\\w*|upsert'
  return models.flatMap((table) => {
    const property = `${table.charAt(0).toLowerCase()}${table.slice(1)}`
    const calls = text.matchAll(new RegExp(`\\.${property}\\s*\\.(${methods})\\(`, 'g'))
    return [...calls].map(([, method = '']) => ({ table, method }))
  })
}

/** The tables that a text changes, through Prisma or in SQL. */
function tablesWritten(text: string): string[] {
  const isWrite = ({ method }: { method: string }) => /^(?:create|update|delete|upsert)/.test(method)
  const inSql = text.matchAll(/\b(?:insert into|update|delete from)\s+"(\w+)"/g)
  const all = [
    ...databaseCalls(text)
      .filter(isWrite)
      .map(({ table }) => table),
    ...[...inSql].map(([, name = '']) => name),
  ]
  return [...new Set(all)].filter((name) => models.includes(name))
}

/** What a file imports, as paths from the project's folder. */
function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  const declared = text.matchAll(/^(?:import|export) (?:type )?[^'"]*?from '(\.[^']+)'/gm)
  const others = text.matchAll(/(?:\bimport\(|^import )'(\.[^']+)'/gm)
  return [...declared, ...others].map(([, from = '']) => relative(projectFolder, join(dirname(path), from)))
}

const files = modules
  .flatMap((module) => sourcesBelow(join(projectFolder, 'server', module)))
  .map((path) => {
    const text = readFileSync(path, 'utf8')
    return { path: relative(projectFolder, path), kind: kindOf(path), text, imports: importsOf(path) }
  })

const ofKind = (...kinds: Kind[]) => files.filter(({ kind }) => kinds.includes(kind))

/** Actions beside and above the modules: what is done regularly, and what sends emails. */
const otherActions = ['mail', 'maintenance', 'request', 'procedure']
  .flatMap((folder) => sourcesBelow(join(projectFolder, 'server', folder)))
  .filter((path) => kindOf(path) === 'action')
  .map((path) => ({ path: relative(projectFolder, path), text: readFileSync(path, 'utf8') }))
const actions = [...ofKind('action'), ...otherActions]

describe('the order of modules', () => {
  it('lists every folder and file of the server', () => {
    const known = [...order, ...aboveModules, ...openedServer, ...plainFiles, 'testing', 'tsconfig.json']
    const found = readdirSync(join(projectFolder, 'server')).filter((name) => !/\.(?:test\.ts|mjs)$/.test(name))
    expect(found.filter((name) => !known.includes(name))).toEqual([])
    expect(known.filter((name) => !found.includes(name))).toEqual([])
  })

  it('leaves out the client, the tests and the tools', () => {
    const foreign = sourcesBelow(join(projectFolder, 'server'))
      .map((path) => ({ path: relative(projectFolder, path), from: importsOf(path) }))
      .filter(({ path }) => !path.startsWith('server/testing/'))
      .flatMap(({ path, from }) =>
        from
          .filter((other) => /^(?:client|tools|e2e|bench|server\/testing)\//.test(other))
          .map((other) => `${path}: ${other}`),
      )
    expect(foreign).toEqual([])
  })

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

  it('is kept by the folders of the payment module, too', () => {
    const folder = join(projectFolder, 'server', 'payment')
    const folderOf = (file: string) => (file.split('/').length === 4 ? (file.split('/')[2] ?? '') : 'router')
    const rank = (name: string) => (name === 'router' ? paymentOrder.length : paymentOrder.indexOf(name))
    const sources = sourcesBelow(folder).map((path) => ({ file: relative(projectFolder, path), from: importsOf(path) }))
    expect([...new Set(sources.map(({ file }) => folderOf(file)))].toSorted()).toEqual(
      [...paymentOrder, 'router'].toSorted(),
    )
    const upward = sources.flatMap(({ file, from }) =>
      from
        .filter((other) => other.startsWith('server/payment/') && rank(folderOf(other)) > rank(folderOf(file)))
        .map((other) => `${file} imports ${other}`),
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
      cyclesOf(new Map([...imported].map(([part, others]) => [part, [...others].filter((one) => one !== part)]))),
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
    const written = actions.filter(({ text }) => sql.test(text))
    expect(written.map(({ path }) => path)).toEqual([])
  })

  it('actions contain no calls of the database: they stand in files of queries', () => {
    const calling = actions.filter(({ text }) => databaseCalls(text).length > 0)
    expect(calling.map(({ path }) => path)).toEqual([])
  })

  it('actions run no statements themselves', () => {
    // The event of an action is recorded by a statement of its own file, whose name is a verb, too.
    const running = actions.filter(
      ({ path, text }) => path !== 'server/event/record.ts' && /\.query(?:Last)?(?:<[^(]*>)?\(/.test(text),
    )
    expect(running.map(({ path }) => path)).toEqual([])
  })

  it('prepared statements have named parameters: `statement` makes all of them', () => {
    const positional = sourcesBelow(join(projectFolder, 'server')).filter((path) =>
      /query(?:<[^(]*>)?\(\{\s*name:/.test(readFileSync(path, 'utf8')),
    )
    expect(positional).toEqual([])
  })

  it('queries open no transactions, record no events and queue no emails: their caller decides', () => {
    const deciding = ofKind('queries').filter(({ text }) =>
      /(?<![.$\w])(?:transaction|pgTransaction|record|recordAll|recordWith|recordLimited)\(|\.enqueue\(/.test(text),
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
    const deciding = ofKind('router').filter(({ text }) => /\btransaction\(|pgTransaction\(/.test(text))
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

describe('tables', () => {
  const writes = sourcesBelow(join(projectFolder, 'server'))
    .map((path) => ({ path: relative(projectFolder, path), text: readFileSync(path, 'utf8') }))
    .filter(({ path }) => !path.startsWith('server/testing/'))
    .flatMap(({ path, text }) => tablesWritten(text).map((table) => ({ path, table })))

  it('all have a module that writes them', () => {
    expect(Object.keys(tableOwners).toSorted()).toEqual(models.toSorted())
    for (const table of models) expect(writes.map((one) => one.table)).toContain(table)
  })

  it('are written by their module, and by the files that tools/table-owners.ts lists with a reason', () => {
    const foreign = writes.filter(({ path, table }) => path.split('/')[1] !== tableOwners[table])
    const listed = Object.entries(foreignWrites).flatMap(([path, { tables }]) =>
      tables.map((table) => ({ path, table })),
    )
    const named = (all: typeof writes) => all.map(({ path, table }) => `${path} writes ${table}`).toSorted()
    expect(named(foreign)).toEqual(named(listed))
    for (const { reason } of Object.values(foreignWrites)) expect(reason).toMatch(/^[A-Z].+\.$/)
  })
})

describe('exported functions', () => {
  it('of the server have names of their own', () => {
    const found = sourcesBelow(join(projectFolder, 'server'))
      .filter((path) => !path.includes(join('server', 'testing')))
      .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/^export (?:async )?function (\w+)/gm)])
      .map(([, name = '']) => name)
    expect(found.length).toBeGreaterThan(500)
    expect(found.filter((name, n) => found.indexOf(name) !== n)).toEqual([])
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

  it('imports only types of the server', () => {
    const values = sources.filter((path) =>
      /^import (?!type )[^'"]*?from '\.[^']*\/server\//m.test(readFileSync(path, 'utf8')),
    )
    expect(values.map((path) => relative(projectFolder, path)).filter((path) => !path.endsWith('.test.ts'))).toEqual([])
  })

  it('uses texts of the folder itself and of those before it', () => {
    const groups = Object.keys(en)
    expect(Object.keys(textOwners).toSorted()).toEqual(groups.toSorted())
    const text = new RegExp(`['\`](${groups.join('|')})\\.\\w+['\`]`, 'g')
    const used = sources.flatMap((path) => {
      const file = relative(projectFolder, path)
      return [...readFileSync(path, 'utf8').matchAll(text)].map(([, group = '']) => ({ file, group }))
    })
    expect(used.length).toBeGreaterThan(1000)
    const foreign = used
      // The calls that an answer refreshes have names like those of texts.
      .filter(({ file }) => folderOf(file) !== 'api' && folderOf(file) !== 'language')
      .filter(({ file, group }) => rank(textOwners[group] ?? '') > rank(folderOf(file)))
    expect(foreign.map(({ file, group }) => `${file} uses a text of ${group}`)).toEqual([])
  })

  it('has no circular imports, types included', () => {
    expect(cyclesOf(imports)).toEqual([])
  })
})

/** The circles of a graph, as paths. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
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
