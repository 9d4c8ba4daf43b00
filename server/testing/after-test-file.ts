const waiting: (() => unknown)[] = []

/**
 * Closes a resource after the test file. Can also be called within a test, where registering a hook of the test runner
 * would be too late. Resources are closed in reverse order.
 */
export function afterTestFile(close: () => unknown): void {
  waiting.push(close)
}

/** Closes the resources of a test file. Called by `per-file-setup.ts`. */
export async function closeAll(): Promise<void> {
  const failures: unknown[] = []
  for (let close = waiting.pop(); close; close = waiting.pop()) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'What the file has opened was not closed')
}
