import { useSyncExternalStore } from 'react'

/** What a refused call requires: that the user signs in again, or a second factor that this session has not used. */
export type ConfirmationKind = 'identity' | 'factor'

export type Confirmation = {
  kind: ConfirmationKind
  /** Resolves to whether the user confirmed. */
  answered: Promise<boolean>
  answer: (isConfirmed: boolean) => void
}

let pending: Confirmation | undefined
const listeners = new Set<() => void>()

function set(confirmation: Confirmation | undefined): void {
  pending = confirmation
  for (const listener of listeners) listener()
}

/**
 * Shows the dialog that asks the user to confirm (session/ConfirmationDialog.tsx), and resolves to whether they did.
 * Calls that are refused meanwhile share the dialog.
 */
export async function askForConfirmation(kind: ConfirmationKind): Promise<boolean> {
  if (pending?.kind === kind) return pending.answered
  if (pending) {
    await pending.answered
    return askForConfirmation(kind)
  }
  let answer: Confirmation['answer'] = () => {}
  const answered = new Promise<boolean>((resolve) => {
    answer = (isConfirmed) => {
      set(undefined)
      resolve(isConfirmed)
    }
  })
  set({ kind, answered, answer })
  return answered
}

/** The confirmation that the user is asked for now. */
export function usePendingConfirmation(): Confirmation | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pending,
    () => undefined,
  )
}
