// The entry point of `npm start`: builds files that are missing or older than their sources, then runs the server in
// this process.
import { spawnSync } from 'node:child_process'
import cluster from 'node:cluster'
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const sources = [
  'server',
  'client',
  'shared',
  'prisma',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
]
const stamp = join(root, 'dist', 'built')
const lock = join(root, 'dist.lock')

if (cluster.isPrimary) {
  // Workers inherit the settings: one that is replaced later must not read a file that has been changed since.
  if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'))
  // For worker processes: this one has begun to use its threads. Password hashes occupy as many as there are cores; libuv has
  // four, in which files and names are looked up, too.
  process.env['UV_THREADPOOL_SIZE'] ??= String(availableParallelism() + 4)
  buildWhenNeeded()
}
// pg asks for this global of newer Node.js versions when it is loaded. Without it, pg creates a `Response` to find out whether
// it runs at Cloudflare, which loads all of fetch: 18 ms of a start.
if (!('navigator' in globalThis)) {
  Object.assign(globalThis, { navigator: { userAgent: `Node.js/${process.versions.node.split('.')[0]}` } })
}
if (process.argv[2] !== '--build') await import(String(new URL('../dist/server.js', import.meta.url)))

function buildWhenNeeded() {
  // An image without the build tools runs the existing build.
  if (isBuilt() || !existsSync(join(root, 'node_modules', 'vite'))) return
  waitForLock()
  try {
    if (!isBuilt()) build()
  } finally {
    rmdirSync(lock)
  }
}

function build() {
  say('Foyer is being built. This happens once, and again when its sources change.')
  run('prisma/build/index.js', ['generate', '--config', 'prisma/prisma.config.ts'])
  run('vite/bin/vite.js', ['build', '--logLevel', 'warn'])
  // The first screens as HTML, rendered by a separate build.
  run('vite/bin/vite.js', ['build', '--logLevel', 'warn', '--ssr', 'prerender.tsx', '--outDir', '../dist/prerender'])
  run('../tools/prerender.mjs', [])
  rmSync(join(root, 'dist', 'prerender'), { recursive: true })
  run('vite/bin/vite.js', ['build', '--logLevel', 'warn', '--ssr', '../server/main.ts'])
  writeFileSync(stamp, '')
}

/** In production each line is a JSON document. @param {string} event */
function say(event) {
  const isJson = process.env['NODE_ENV'] === 'production'
  console.log(isJson ? JSON.stringify({ level: 'info', time: new Date().toISOString(), event }) : event)
}

/** @param {string} program @param {string[]} args */
function run(program, args) {
  // Prisma would download an engine binary that nothing here needs.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', NODE_ENV: 'production' }
  const result = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  if (result.status !== 0) {
    console.error(`Foyer cannot be built.\n${result.stdout}${result.stderr}`)
    rmdirSync(lock)
    process.exit(1)
  }
}

function isBuilt() {
  return existsSync(stamp) && existsSync(join(root, 'prisma', 'client')) && newest(sources) <= statSync(stamp).mtimeMs
}

/** Time of the newest of these files, except generated ones. @param {string[]} paths @returns {number} */
function newest(paths) {
  const times = paths.map((path) => {
    const entry = statSync(join(root, path), { throwIfNoEntry: false })
    if (!entry || path === join('prisma', 'client') || path.endsWith('.test.ts')) return 0
    return entry.isDirectory() ? newest(readdirSync(join(root, path)).map((name) => join(path, name))) : entry.mtimeMs
  })
  return Math.max(0, ...times)
}

/** One build at a time. A lock that has not been touched for two minutes is considered abandoned. */
function waitForLock() {
  for (;;) {
    try {
      mkdirSync(lock)
      return
    } catch {
      const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
      if (age > 120_000) rmSync(lock, { recursive: true, force: true })
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    }
  }
}
