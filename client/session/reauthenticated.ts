/** Under this key the window of a provider notifies the page that opened it, by the storage event of the other windows. */
const storageKey = 'foyer.reauthenticated'

/** In the provider's window: notifies every other window of this browser. */
export function announceReauthenticated(): void {
  localStorage.setItem(storageKey, String(Date.now()))
}

/** In the page behind it: runs once that window has reported. Answers how to stop waiting. */
export function onReauthenticated(run: () => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key === storageKey) run()
  }
  globalThis.addEventListener('storage', listen)
  return () => globalThis.removeEventListener('storage', listen)
}
