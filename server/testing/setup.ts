import { afterAll, vi } from 'vitest'
import { closeAll } from './at-end.ts'

// Files share a process and its packages. What one has opened and replaced ends with it, and so does the state of our modules.
afterAll(async () => {
  try {
    await closeAll()
  } finally {
    vi.restoreAllMocks()
    vi.resetModules()
  }
})
