import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vite'
import { z } from 'zod'
import { projectFolder } from '../server/config.ts'
import { colors, fontFamily, hues, radius } from '../shared/theme.ts'
import { routerTypes } from './router-types.ts'

// `npm run package -- --out DIR` writes the tarball of @foyer/client there, and prints its path as the last line. The
// API's types are derived from the schemas of the procedures, so that the package needs no source of the server; a test
// compares them with the server's own.

const { values } = parseArgs({ options: { out: { type: 'string', default: join(projectFolder, 'dist') } } })
const out = resolve(values.out)
const sources = join(projectFolder, 'client', 'sdk')
// Next to the client's folder, so that relative imports of shared/ and of packages resolve as from there.
mkdirSync(join(projectFolder, 'dist'), { recursive: true })
const stage = mkdtempSync(join(projectFolder, 'dist', 'sdk-'))
const folder = mkdtempSync(join(tmpdir(), 'foyer-client-'))
try {
  await writePackage()
} finally {
  rmSync(stage, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

async function writePackage(): Promise<void> {
  cpSync(sources, stage, { recursive: true })
  writeFileSync(join(stage, 'router.ts'), await routerTypes())
  await bundle()
  declarations()
  writeFileSync(join(folder, 'styles.css'), `${variables()}\n${readFileSync(join(sources, 'styles.css'), 'utf8')}`)
  copyFileSync(join(sources, 'README.md'), join(folder, 'README.md'))
  copyFileSync(join(projectFolder, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  mkdirSync(out, { recursive: true })
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', out], { cwd: folder, stdio: 'pipe' })
  const [{ filename }] = z.tuple([z.object({ filename: z.string() })]).parse(JSON.parse(packed.toString()))
  console.log(join(out, filename))
}

/** One file per entry, and shared chunks. Dependencies are not bundled. */
async function bundle(): Promise<void> {
  await build({
    configFile: false,
    root: stage,
    logLevel: 'error',
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      lib: {
        entry: {
          index: join(stage, 'index.ts'),
          react: join(stage, 'react.tsx'),
          server: join(stage, 'server.ts'),
        },
        formats: ['es'],
      },
      rolldownOptions: {
        external: (id) => !/^[./\\]|^[a-zA-Z]:/.test(id),
        output: {
          chunkFileNames: '[name].js',
          // The components are for the browser, even in a framework that renders on the server first.
          banner: ({ name }) => (name === 'react' ? "'use client'" : ''),
        },
      },
    },
  })
}

function declarations(): void {
  const tsconfig = {
    extends: join(projectFolder, 'client', 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rewriteRelativeImportExtensions: true,
      rootDir: projectFolder,
      outDir: join(stage, 'types'),
      types: [],
    },
    include: ['*.ts', '*.tsx'],
  }
  writeFileSync(join(stage, 'tsconfig.json'), JSON.stringify(tsconfig))
  execFileSync(process.execPath, [join(projectFolder, 'node_modules/typescript/bin/tsc'), '-p', stage], {
    stdio: 'inherit',
  })
  const emitted = join(stage, 'types', 'dist', basename(stage))
  for (const name of readdirSync(emitted)) {
    // The compiler keeps the extensions of imports in declarations, which the consumer's compiler may refuse.
    const text = readFileSync(join(emitted, name), 'utf8').replaceAll(/(from '\.\/[\w-]+)\.tsx?'/g, "$1.js'")
    // The declarations of tRPC use `Disposable`, which compilers only know with this reference.
    const library = name === 'router.d.ts' ? '/// <reference lib="esnext.disposable" />\n' : ''
    writeFileSync(join(folder, name), library + text)
  }
}

/** Some of the colors of Foyer's own screens as CSS variables, for the light and the dark scheme. */
function variables(): string {
  const names = ['surface', 'ink', 'quiet', 'line', 'edge', 'hover', 'accent', 'danger'] as const
  const scheme = (name: 'light' | 'dark') =>
    names.map((color) => `  --foyer-${color}: ${colors[name][color]};`).join('\n')
  const ofHue = (name: 'light' | 'dark') =>
    hues[name].map(
      ([back, text], hue) => `:where(.foyer-avatar[data-hue='${hue}']) { background: ${back}; color: ${text}; }`,
    )
  return `:root {
${scheme('light')}
  --foyer-radius: ${radius.card}px;
  --foyer-font: ${fontFamily};
}
${ofHue('light').join('\n')}
@media (prefers-color-scheme: dark) {
:root {
${scheme('dark')}
}
${ofHue('dark').join('\n')}
}`
}

function manifest() {
  const read = (file: string) =>
    z
      .object({
        version: z.string(),
        dependencies: z.record(z.string(), z.string()),
        devDependencies: z.record(z.string(), z.string()),
      })
      .parse(JSON.parse(readFileSync(join(projectFolder, file), 'utf8')))
  const { version, dependencies, devDependencies } = read('package.json')
  const all = { ...dependencies, ...devDependencies }
  const entry = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` })
  const needed = [
    '@radix-ui/react-dropdown-menu',
    '@tanstack/react-query',
    '@trpc/client',
    '@trpc/server',
    'jose',
    'standardwebhooks',
  ]
  return {
    name: '@foyer/client',
    version,
    description: 'Typed client, React components and token verification for Foyer.',
    license: 'MIT',
    type: 'module',
    main: './index.js',
    types: './index.d.ts',
    sideEffects: ['*.css'],
    exports: {
      '.': entry('index'),
      './react': entry('react'),
      './server': entry('server'),
      './styles.css': './styles.css',
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(needed.map((name) => [name, `^${all[name] ?? ''}`])),
    peerDependencies: { react: '>=19', 'react-dom': '>=19' },
    peerDependenciesMeta: { react: { optional: true }, 'react-dom': { optional: true } },
    engines: { node: '>=20.19' },
  }
}
