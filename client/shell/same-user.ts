import { useEffect } from 'react'

/** localStorage key of the user who is signed in in this browser. Other tabs receive a storage event when it changes. */
const storageKey = 'foyer.user'

/**
 * Keeps all tabs of a browser with one user. A tab that was opened for another one would show that user's data, and send what is typed
 * there to the account of the new one: it is loaded anew.
 */
export function useSameUser(userId: string | undefined): void {
  useEffect(() => {
    if (userId === undefined) return undefined
    if (localStorage.getItem(storageKey) !== userId) localStorage.setItem(storageKey, userId)
    const listen = ({ key, newValue }: StorageEvent) => {
      if (key === storageKey && newValue !== null && newValue !== userId) location.reload()
    }
    globalThis.addEventListener('storage', listen)
    return () => globalThis.removeEventListener('storage', listen)
  }, [userId])
}
