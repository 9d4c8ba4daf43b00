import react from '@vitejs/plugin-react'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** Smaller files would not get smaller by more than a packet. */
const minCompressedBytes = 1_024

/** Writes a brotli and a gzip copy beside each script and style, so that no request compresses anything. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const folder = join(dir, 'assets')
      for (const name of readdirSync(folder)) {
        const file = join(folder, name)
        if (!/\.(?:js|css|svg)$/.test(name) || statSync(file).size < minCompressedBytes) continue
        const bytes = readFileSync(file)
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
      }
    },
  }
}

/** Tests of whole processes. */
const processTests = 'server/start.test.ts'

/** `vite build` makes dist/client, `vite build --ssr` makes dist/server.js beside it. */
export default defineConfig(({ isSsrBuild }) => ({
  root: 'client',
  plugins: isSsrBuild ? [] : [react(), precompress()],
  html: { cspNonce: '__NONCE__' },
  build: isSsrBuild
    ? {
        outDir: '../dist',
        emptyOutDir: false,
        target: 'node20',
        copyPublicDir: false,
        rollupOptions: { output: { entryFileNames: 'server.js', chunkFileNames: '[name]-[hash].js' } },
      }
    : { outDir: '../dist/client', emptyOutDir: true, target: 'es2022' },
  test: {
    root: '.',
    // Nothing is asserted about time: these only end what hangs, on a machine that is ten times slower too.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'calls',
          include: ['server/**/*.test.ts', 'shared/**/*.test.ts', 'client/**/*.test.ts', 'prisma/**/*.test.ts'],
          exclude: [processTests],
          globalSetup: 'server/testing/template.ts',
          sequence: { groupOrder: 0 },
        },
      },
      // Real processes that build, start and are killed: alone, after the others.
      { extends: true, test: { name: 'processes', include: [processTests], sequence: { groupOrder: 1 } } },
      // What a whole run has shown.
      {
        extends: true,
        test: { name: 'summary', include: ['server/testing/*.summary.ts'], sequence: { groupOrder: 2 } },
      },
    ],
  },
}))
