import { afterAll, vi } from 'vitest'
import { closeAll } from './at-end.ts'

// Files share a process: what one has opened and replaced ends with it.
afterAll(async () => {
  await closeAll()
  vi.restoreAllMocks()
})
