import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFolder } from '../server/config.ts'

/** The modules of the server in their order: a module imports only those before it (docs/architecture.md). */
export const moduleOrder = [
  'foundation',
  'token',
  'event',
  'mail',
  'session',
  'factor',
  'request',
  'procedure',
  'picture',
  'subscription',
  'organization',
  'team',
  'account',
  'sign-in',
  'two-factor',
  'invitation',
  'payment',
  'api-key',
  'oauth',
  'forward-auth',
  'admin',
  'webhook',
  'transfer',
]

/** Folders and files above all modules. */
export const aboveModules = ['http', 'process', 'maintenance', 'app.ts', 'router.ts', 'jobs.ts']

/** Files that have the position of another module: the rows of a session are below the request, its calls above it. */
export const positionsOfFiles = [
  {
    files: ['session-procedures', 'read-session', 'revoke-sessions', 'sign-out'].map(
      (name) => `server/session/${name}.ts`,
    ),
    position: 'procedure',
  },
]

/** Forbids the imports of everything after a position in the order. */
function overrideFor(files: string[], position: string) {
  const later = moduleOrder.slice(moduleOrder.indexOf(position) + 1)
  // The dependencies of a server are a part of the request.
  const isBelowRequest = later.includes('request')
  const forbidden = [...later, ...aboveModules, ...(isBelowRequest ? ['dependencies.ts'] : [])]
  const group = forbidden.flatMap((name) => (name.endsWith('.ts') ? [`**/../${name}`] : [`**/../${name}/**`]))
  const message = 'A module imports only what is before it: docs/architecture.md.'
  return { files, rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] } }
}

/** The rules of the linter that enforce the order. */
export function moduleLintRules(): string {
  const overrides = [
    ...moduleOrder.map((name) => overrideFor([`server/${name}/**`], name)),
    ...positionsOfFiles.map(({ files, position }) => overrideFor(files, position)),
  ]
  return `${JSON.stringify({ overrides }, undefined, 2)}\n`
}

export const moduleLintFile = join(projectFolder, 'tools', 'module-order.oxlintrc.json')

export async function writeModuleLintRules(): Promise<void> {
  await writeFile(moduleLintFile, moduleLintRules())
}

if (process.argv[1]?.endsWith('module-order.ts')) await writeModuleLintRules()
