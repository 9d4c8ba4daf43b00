/** How long to wait before a style that failed to load is requested again, in milliseconds. */
const waitMs = 2_000

/**
 * Requests styles again that failed to load, as while offline: when the connection is back, or after a moment. Vite
 * requests the style of a screen only once, and the screen would be shown without it from then on.
 */
export function reloadFailedStyles(): void {
  const listen = ({ target: link }: Event) => {
    if (!(link instanceof HTMLLinkElement) || link.rel !== 'stylesheet') return
    const again = () => link.replaceWith(link.cloneNode())
    if (navigator.onLine) setTimeout(again, waitMs)
    else globalThis.addEventListener('online', again, { once: true })
  }
  // Errors of resources do not bubble.
  document.addEventListener('error', listen, true)
}
