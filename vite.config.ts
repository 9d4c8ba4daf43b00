import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { z } from 'zod'

/** Compressing smaller files would save less than a packet. */
const minCompressedBytes = 1_024

/** Writes a brotli and a gzip copy next to each script and style, so that no request compresses anything. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle({ dir = '' }) {
      for (const name of [...readdirSync(dir), ...readdirSync(join(dir, 'assets')).map((asset) => `assets/${asset}`)]) {
        const file = join(dir, name)
        if (!/\.(?:js|css|svg)$/.test(name) || statSync(file).size < minCompressedBytes) continue
        const bytes = readFileSync(file)
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
      }
    },
  }
}

/** Files that only re-export from a package. Following all of them would include the whole package. */
const barrel = /node_modules\/(@mantine\/(?:core|hooks)|@tanstack\/react-router)\/(?:dist\/)?esm\/index\.m?js$/

/** The files behind a barrel that export the names which a module imports from it. */
function behindBarrel(importer: string, barrelId: string, barrelCode: string): string[] {
  const name = barrel.exec(barrelId)?.[1] ?? ''
  const imported = new Set(
    [...importer.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g)]
      .filter(([, , from]) => from === name)
      .flatMap(([, names = '']) => names.split(',').map((one) => one.trim().split(/\s+as\s+/)[0] ?? '')),
  )
  return [...barrelCode.matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)]
    .filter(([, names = '']) => names.split(',').some((one) => imported.has(one.trim())))
    .map(([, , path = '']) => join(dirname(barrelId), path))
}

/**
 * Bundles the code of a first visit into one file: every module that the entry imports without `import()`. Otherwise
 * each module shared with a later screen would become a file, and a request, of its own.
 */
function firstVisit(): { plugin: Plugin; isPart: (id: string) => boolean } {
  const parts = new Set<string>()
  return {
    isPart: (id) => parts.has(id),
    plugin: {
      name: 'first-visit',
      apply: 'build',
      buildEnd() {
        const codeOf = (id: string) => this.getModuleInfo(id)?.code ?? ''
        const waiting = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isEntry)
        for (const id of waiting) {
          if (parts.has(id)) continue
          parts.add(id)
          for (const imported of this.getModuleInfo(id)?.importedIds ?? []) {
            if (barrel.test(imported)) waiting.push(...behindBarrel(codeOf(id), imported, codeOf(imported)))
            else waiting.push(imported)
          }
        }
      },
    },
  }
}

/**
 * tRPC is compiled for engines without `{ ...object }`, and copies its call for each middleware with a helper that
 * defines every property by its descriptor. Using `Object.assign` instead saves 8 to 20 % of the CPU time of a call
 * (`npm run bench -- get-session`). It would set the prototype if an object had a property `__proto__`; inputs never
 * do, because zod drops it.
 */
function nativeSpread(): Plugin {
  let isLoaded = false
  let isReplaced = false
  return {
    name: 'native-spread',
    apply: 'build',
    transform(code, id) {
      if (!/@trpc[\\/]server/.test(id)) return null
      isLoaded ||= id.includes('initTRPC')
      if (!code.includes('function _objectSpread2(e) {')) return null
      isReplaced = true
      const native = 'function _objectSpread2(...all) { return Object.assign(...all); }\nfunction unused(e) {'
      return { code: code.replace('function _objectSpread2(e) {', native), map: null }
    },
    buildEnd(error) {
      if (!error && isLoaded && !isReplaced)
        this.error('@trpc/server copies objects in another way now: remove or renew nativeSpread')
    },
  }
}

const unusedColors = '(?:pink|grape|violet|indigo|cyan|lime|green|yellow|orange)'

/** Removes colors of Mantine that Foyer's theme does not use: shades and variables of each, 2 kB of the first visit. */
function withoutUnusedColors(): Plugin {
  const variables = new RegExp(`(?<=[{;]\\s*)--mantine-color-${unusedColors}-[^;}]*;`, 'g')
  const shades = new RegExp(`\\b${unusedColors}: \\[[^\\]]*\\],?`, 'g')
  return {
    name: 'without-unused-colors',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (id.includes('default-css-variables')) return { code: code.replaceAll(variables, ''), map: null }
      if (id.includes('default-colors')) return { code: code.replaceAll(shades, ''), map: null }
      return null
    },
  }
}

/**
 * Writes Prisma's query compiler (WebAssembly, 3.4 MB) as a file of its own. Prisma generates it as a base64 text in a
 * module, which costs 13 MB of memory.
 */
function compilerAsFile(): Plugin {
  const generated = /(getQueryCompilerWasmModule: async \(\) => )\{.*?import\("([^"]+wasm-base64\.mjs)"\).*?\n {2}\}/s
  const fileName = 'query-compiler.wasm'
  return {
    name: 'compiler-as-file',
    apply: 'build',
    enforce: 'pre',
    async transform(code, id) {
      if (!id.endsWith('prisma/client/internal/class.ts')) return null
      const [found, start, module = ''] = generated.exec(code) ?? []
      if (found === undefined) throw new Error('Prisma loads its query compiler in another way than expected')
      const resolved = await this.resolve(module, id)
      const { wasm } = z.object({ wasm: z.string() }).parse(await import(resolved?.id ?? module))
      this.emitFile({ type: 'asset', fileName, source: Buffer.from(wasm, 'base64') })
      const load = `(await import('node:fs')).readFileSync(new URL('${fileName}', import.meta.url))`
      return { code: code.replace(generated, `${start}new WebAssembly.Module(${load})`), map: null }
    },
  }
}

/**
 * Escapes characters above U+00FF in the server's bundle. V8 stores a source text with one of them in two bytes a
 * character: 2 MB more of memory, and a slower start.
 */
function escapedAboveLatin1(): Plugin {
  return {
    name: 'escaped-above-latin1',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue
        // Its escape would read as an escaped backslash and text.
        if (/\\[^\0-\xff]/.test(file.code))
          this.error(`a backslash stands before a character above U+00FF in ${file.fileName}`)
        file.code = file.code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      }
    },
  }
}

const firstScreens = firstVisit()

/** Tests of whole processes. */
const processTests = ['server/start.test.ts', 'server/process/lifecycle.test.ts', 'server/process/webhooks.test.ts']

/** `vite build` writes dist/client; `vite build --ssr` writes dist/server.js next to it. */
export default defineConfig(({ isSsrBuild, mode }) => ({
  root: 'client',
  plugins: isSsrBuild
    ? [nativeSpread(), compilerAsFile(), escapedAboveLatin1()]
    : [react(), withoutUnusedColors(), firstScreens.plugin, precompress()],
  html: { cspNonce: '__NONCE__' },
  // Without the replacement of a hook that React has had since version 18.
  resolve: isSsrBuild
    ? {}
    : { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  // Prisma's package contains the query engines of every database, 74 MB, of which one is needed. Of the other packages
  // a part is used, which starts sooner from one file. During development only our own code is bundled, which is
  // quicker.
  ssr: {
    noExternal:
      mode === 'development'
        ? []
        : ['@prisma/client', '@prisma/client-runtime-utils', '@trpc/server', 'arctic', /^@oslojs\//, 'jose', 'zod'],
  },
  build: isSsrBuild
    ? {
        outDir: '../dist',
        emptyOutDir: false,
        target: 'node20',
        copyPublicDir: false,
        ssrEmitAssets: true,
        rollupOptions: {
          output: {
            entryFileNames: ({ name }) => (name === 'main' ? 'server.js' : `${name}.js`),
            chunkFileNames: '[name]-[hash].js',
            comments: { legal: true, annotation: false, jsdoc: false },
          },
        },
      }
    : {
        outDir: '../dist/client',
        emptyOutDir: true,
        target: 'es2022',
        rollupOptions: {
          output: {
            codeSplitting: { groups: [{ name: 'first-visit', test: firstScreens.isPart }] },
            // The first visit has the names of all other files: short ones save a kilobyte.
            chunkFileNames: 'assets/[hash].js',
            assetFileNames: 'assets/[hash][extname]',
          },
          // Its package does not say so, and its links for WebSockets would be a part of the first visit.
          treeshake: { moduleSideEffects: [{ test: /node_modules\/@trpc\/client\//, sideEffects: false }] },
        },
      },
  test: {
    root: '.',
    // No test asserts a duration. These timeouts only end what hangs, even on a machine that is ten times slower.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    // Two processes run all files, because reloading the packages for each would take a third of the time. Our own
    // modules are reloaded (server/testing/per-file-setup.ts), and each test application has its own database.
    isolate: false,
    // If the database is lost at the start of a minute, graphile-worker rejects a promise that it awaits nowhere,
    // beside the one by which the engine notices and restarts (a process logs it). Only that rejection is no error of a
    // test.
    onUnhandledError: ({ stack = '' }) => !/graphile-worker\/dist\/cron\.js/.test(stack),
    projects: [
      {
        extends: true,
        test: {
          name: 'calls',
          include: ['server/**/*.test.ts', 'shared/**/*.test.ts', 'client/**/*.test.ts', 'prisma/**/*.test.ts'],
          exclude: processTests,
          globalSetup: 'server/testing/global-setup.ts',
          setupFiles: 'server/testing/per-file-setup.ts',
          sequence: { groupOrder: 0 },
        },
      },
      // Tests of real processes that build, start and are killed: after the others, one file at a time.
      {
        extends: true,
        test: {
          name: 'processes',
          include: processTests,
          setupFiles: 'server/testing/per-file-setup.ts',
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      // Checks over the results of a full run.
      {
        extends: true,
        test: { name: 'summary', include: ['server/testing/*.summary.ts'], sequence: { groupOrder: 2 } },
      },
    ],
  },
}))
