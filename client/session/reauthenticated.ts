/** Writing this localStorage key notifies the opener page, because other windows receive a storage event. */
const storageKey = 'foyer.reauthenticated'

/** Called in the popup: notifies all other windows of this origin. */
export function announceReauthenticated(): void {
  localStorage.setItem(storageKey, String(Date.now()))
}

/** Called in the opener page: runs `run` after re-authentication. Returns a function that unsubscribes. */
export function onReauthenticated(run: () => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key === storageKey) run()
  }
  globalThis.addEventListener('storage', listen)
  return () => globalThis.removeEventListener('storage', listen)
}
