import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

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
    include: ['server/**/*.test.ts', 'shared/**/*.test.ts', 'client/**/*.test.ts', 'prisma/**/*.test.ts'],
    globalSetup: 'server/testing/template.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
}))
