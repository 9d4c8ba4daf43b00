import { afterAll, vi } from 'vitest'
import { closeAll } from './after-test-file.ts'

// Test files share a process and its packages, but not the state of our modules. Resources and mocks of a file end with
// it.
afterAll(async () => {
  try {
    await closeAll()
  } finally {
    vi.restoreAllMocks()
    vi.resetModules()
  }
})
