const waiting: (() => unknown)[] = []

/**
 * Closes something after the test file. It may be called in a test, too, where a hook of the test runner would come too late
 * to be called. What was opened last is closed first.
 */
export function atEnd(close: () => unknown): void {
  waiting.push(close)
}

/** Closes what the file has opened. Called by `setup.ts`. */
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
