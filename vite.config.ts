import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Tests of whole processes. */
const processTests = 'server/start.test.ts'

/** `vite build` makes dist/client, `vite build --ssr` makes dist/server.js beside it. */
export default defineConfig(({ isSsrBuild }) => ({
  root: 'client',
  plugins: isSsrBuild ? [] : [react()],
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
