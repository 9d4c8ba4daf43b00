/** Under this key the window of a provider tells the page that opened it, by the storage event of the other windows. */
const storageKey = 'foyer.reauthenticated'

/** In the provider's window: tells every other window of this browser. */
export function announceReauthenticated(): void {
  localStorage.setItem(storageKey, String(Date.now()))
}

/** In the page behind it: runs once that window has told. Answers how to stop waiting. */
export function onReauthenticated(run: () => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key === storageKey) run()
  }
  globalThis.addEventListener('storage', listen)
  return () => globalThis.removeEventListener('storage', listen)
}
