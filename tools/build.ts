// `npm run build [-- FOLDER]`: writes a folder that needs only production dependencies. Run `npm ci --omit=dev && npm
// start` in it.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { projectFolder } from '../server/config.ts'
import { readBuildInfo } from '../server/foundation/build-info.ts'

const root = projectFolder
const bundled = new Set(['@prisma/client', '@trpc/server', 'arctic', 'jose', 'zod'])
const folder = resolve(process.argv[2] ?? join(root, 'build'))

function run(command: string, args: string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}

run(process.execPath, ['server/start.mjs', '--build'], root)
rmSync(folder, { recursive: true, force: true })
mkdirSync(join(folder, 'server'), { recursive: true })
for (const path of ['dist', 'prisma/migrations', 'server/start.mjs', '.env.example', 'LICENSE'])
  cpSync(join(root, path), join(folder, path), { recursive: true })
cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'))
writeFileSync(join(folder, 'dist', 'commit'), process.env['COMMIT'] || readBuildInfo(root).commit)

const Manifest = z.looseObject({
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
})
const {
  scripts,
  dependencies,
  devDependencies: _tools,
  ...manifest
} = Manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
const commands = Object.fromEntries(
  ['start', 'admin', 'client', 'import', 'export'].map((script) => [script, scripts[script]]),
)
// Bundled into dist/server.js (vite.config.ts). Packages that another one needs are installed with it.
const needed = Object.fromEntries(Object.entries(dependencies).filter(([name]) => !bundled.has(name)))
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify({ ...manifest, scripts: commands, dependencies: needed }, null, 2)}\n`,
)
// TypeScript (31 MB) is only a peer dependency of packages, and not needed at run time.
writeFileSync(join(folder, '.npmrc'), 'legacy-peer-deps=true\n')
// Reduces the copied lockfile to the remaining packages, with the same versions.
run(
  'npm',
  ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
  folder,
)
console.log(`The build is in ${folder}. Run there: npm ci --omit=dev && npm start`)
