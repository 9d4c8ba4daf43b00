import { useState } from 'react'

/**
 * Makes a call for each of several rows, one after the other, because the server decides each under the same lock. The
 * first refusal stops it: `failure` has the reason, and how many calls were made before.
 */
export function useForEach<Row>(rows: readonly Row[]) {
  // The rows are fewer as they are changed.
  const [started, setStarted] = useState<readonly Row[]>()
  const [failure, setFailure] = useState<{ error: unknown; done: number }>()
  const reset = () => {
    setStarted(undefined)
    setFailure(undefined)
  }
  /** Returns whether all calls were successful. */
  const run = async (call: (row: Row) => Promise<unknown>): Promise<boolean> => {
    const all = [...rows]
    setStarted(all)
    setFailure(undefined)
    for (const [at, row] of all.entries()) {
      try {
        await call(row)
      } catch (error) {
        setFailure({ error, done: at })
        return false
      }
    }
    reset()
    return true
  }
  return { affected: started ?? rows, isBusy: started !== undefined && failure === undefined, failure, run, reset }
}
