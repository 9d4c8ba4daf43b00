/** Writing this localStorage key notifies the opener page, because other windows receive a storage event. */
const storageKey = 'foyer.reauthenticated'

/** Called in the popup: notifies the window that opened it, by the name it was given. */
export function announceReauthenticated(name: string): void {
  localStorage.setItem(storageKey, `${name} ${Date.now()}`)
}

/**
 * Called in the opener page: runs `run` once, after the re-authentication of this name. One requested by another window
 * is ignored, because it would confirm the action pending here. Returns a function that unsubscribes.
 */
export function onReauthenticated(name: string, run: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent) => {
    if (key !== storageKey || newValue?.split(' ')[0] !== name) return
    stop()
    run()
  }
  const stop = () => globalThis.removeEventListener('storage', listen)
  globalThis.addEventListener('storage', listen)
  return stop
}
