import { useSyncExternalStore } from 'react'

/** What a refused call requires: that the user signs in again, or a second factor that this session has not used. */
export type ConfirmationKind = 'identity' | 'factor'

export type Confirmation = {
  /** Distinguishes it from earlier ones. */
  id: number
  kind: ConfirmationKind
  /** Resolves to whether the user confirmed. */
  answered: Promise<boolean>
  answer: (isConfirmed: boolean) => void
}

let pending: Confirmation | undefined
let count = 0
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
  const id = ++count
  let answer: Confirmation['answer'] = () => {}
  const answered = new Promise<boolean>((resolve) => {
    answer = (isConfirmed) => {
      // An answer may arrive after its dialog was closed, and another one opened.
      if (pending?.id === id) set(undefined)
      resolve(isConfirmed)
    }
  })
  set({ id, kind, answered, answer })
  return answered
}

/** Whether a dialog is open: calls that are sent now are its own. */
export function isConfirming(): boolean {
  return pending !== undefined
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
